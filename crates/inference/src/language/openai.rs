//! Services that speak the protocol of OpenAI: `POST {url}/chat/completions`.

use super::http::Post;
use super::{LanguageError, LanguageModel, LanguageSettings, Prompt, Reply};
use serde_json::{Value, json};

#[derive(Debug)]
pub(super) struct OpenAi {
    model: String,
    post: Post,
}

impl OpenAi {
    pub(super) fn new(settings: &LanguageSettings) -> OpenAi {
        let mut post = Post::new(settings, "chat/completions");
        if let Some(key) = &settings.api_key {
            post = post.header("authorization", format!("Bearer {}", key.reveal()));
        }
        OpenAi { model: settings.model.clone(), post }
    }
}

impl LanguageModel for OpenAi {
    fn name(&self) -> &str {
        &self.model
    }

    fn ask(&self, prompt: &Prompt) -> Result<Reply, LanguageError> {
        let answer = self.post.send(&json!({
            "model": self.model,
            "max_tokens": prompt.longest_answer,
            "messages": [
                { "role": "system", "content": prompt.task },
                { "role": "user", "content": prompt.text },
            ],
        }))?;
        let text = answer.pointer("/choices/0/message/content").and_then(Value::as_str);
        let text = text.ok_or_else(|| self.post.useless("it has no message"))?;
        if text.trim().is_empty() {
            return Err(self.post.useless("it is empty"));
        }
        let tokens = answer.pointer("/usage/total_tokens").and_then(Value::as_u64);
        Ok(Reply { text: text.to_owned(), tokens })
    }
}
