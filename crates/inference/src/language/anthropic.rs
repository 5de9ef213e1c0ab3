//! Models of Anthropic: `POST {url}/messages`.

use super::http::Post;
use super::{LanguageError, LanguageModel, LanguageSettings, Prompt, Reply};
use serde_json::{Value, json};

const VERSION: &str = "2023-06-01";

#[derive(Debug)]
pub(super) struct Anthropic {
    model: String,
    post: Post,
}

impl Anthropic {
    pub(super) fn new(settings: &LanguageSettings) -> Anthropic {
        let mut post =
            Post::new(settings, "messages").header("anthropic-version", VERSION.to_owned());
        if let Some(key) = &settings.api_key {
            post = post.header("x-api-key", key.reveal().to_owned());
        }
        Anthropic { model: settings.model.clone(), post }
    }
}

impl LanguageModel for Anthropic {
    fn name(&self) -> &str {
        &self.model
    }

    fn ask(&self, prompt: &Prompt) -> Result<Reply, LanguageError> {
        let answer = self.post.send(&json!({
            "model": self.model,
            "max_tokens": prompt.longest_answer,
            "system": prompt.task,
            "messages": [{ "role": "user", "content": prompt.text }],
        }))?;
        let parts = answer.get("content").and_then(Value::as_array);
        let parts = parts.ok_or_else(|| self.post.useless("it has no content"))?;
        let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
        let text: String = texts.collect();
        if text.trim().is_empty() {
            return Err(self.post.useless("it is empty"));
        }
        let count = |name: &str| answer.get("usage")?.get(name)?.as_u64();
        let tokens = count("input_tokens").zip(count("output_tokens"));
        Ok(Reply { text, tokens: tokens.map(|(read, written)| read.saturating_add(written)) })
    }
}
