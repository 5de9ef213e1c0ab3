//! Numbers of things, as a sentence says them.

/// `1 memory`, `3 memories`.
pub fn counted(n: u64, one: &str, several: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {several}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_several() {
        assert_eq!(counted(0, "memory", "memories"), "0 memories");
        assert_eq!(counted(1, "memory", "memories"), "1 memory");
    }
}
