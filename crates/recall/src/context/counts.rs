//! How many tokens a text costs: whoever knows the agent's tokenizer says so.

/// Counts tokens. Nothing here assumes that two counts add up to the count of both texts together:
/// what leaves is always counted whole. An empty text costs nothing.
pub trait Counts {
    fn count(&self, text: &str) -> usize;
}

impl<F: Fn(&str) -> usize> Counts for F {
    fn count(&self, text: &str) -> usize {
        self(text)
    }
}
