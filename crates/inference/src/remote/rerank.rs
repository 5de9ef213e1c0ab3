//! A cross-encoder behind a service: vLLM, Text Embeddings Inference, Cohere, Jina, Voyage.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Secret;
use super::service::Service;
use super::settings::check_url;
use crate::{Error, Reranker};

/// `POST {base_url}/rerank`.
#[derive(Debug, Clone)]
pub struct RerankSettings {
    /// Up to and without `/rerank`.
    pub base_url: String,
    pub model: String,
    pub api_key: Option<Secret>,
    /// Somebody waits for the answer to a question: a late one is none.
    pub timeout: Duration,
}

/// Settings are checked, the service is not asked yet.
pub fn remote_reranker(settings: RerankSettings) -> Result<Arc<dyn Reranker>, Error> {
    check_url("rerank.url", &settings.base_url)?;
    let endpoint = format!("{}/rerank", settings.base_url.trim_end_matches('/'));
    let RerankSettings { model, api_key, timeout, .. } = settings;
    Ok(Arc::new(Remote { service: Service::new(endpoint, api_key, timeout, Vec::new()), model }))
}

#[derive(Debug)]
struct Remote {
    service: Service,
    model: String,
}

/// The same texts by both names that services know them under.
#[derive(Debug, Serialize)]
struct Request<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    model: &'a str,
    query: &'a str,
    documents: &'a [&'a str],
    texts: &'a [&'a str],
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Answer {
    Results { results: Vec<Item> },
    Data { data: Vec<Item> },
    Bare(Vec<Item>),
}

#[derive(Debug, Deserialize)]
struct Item {
    index: usize,
    #[serde(alias = "score")]
    relevance_score: f64,
}

impl Reranker for Remote {
    fn scores(&self, question: &str, texts: &[&str]) -> Result<Vec<f64>, Error> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let request = Request { model: &self.model, query: question, documents: texts, texts };
        let body = self.service.ask(&request)?;
        read(&body, texts.len()).map_err(|why| self.service.unusable(why))
    }
}

fn read(body: &str, texts: usize) -> Result<Vec<f64>, String> {
    let answer: Answer = serde_json::from_str(body)
        .map_err(|_| "it has no list of scores, each with its `index`".to_owned())?;
    let (Answer::Results { results: items } | Answer::Data { data: items } | Answer::Bare(items)) =
        answer;
    let mut scores = vec![None; texts];
    for Item { index, relevance_score } in items {
        let slot = scores.get_mut(index).ok_or("it numbers texts not sent")?;
        *slot = Some(relevance_score).filter(|score| score.is_finite());
    }
    let scores: Option<Vec<f64>> = scores.into_iter().collect();
    let scores = scores.ok_or("it leaves texts without a score")?;
    // Some answer with the bare output of the model, which knows no bounds.
    let within = |score: &f64| (0.0..=1.0).contains(score);
    let bounded = |score: f64| 1.0 / (1.0 + (-score).exp());
    Ok(match scores.iter().all(within) {
        true => scores,
        false => scores.into_iter().map(bounded).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_dialect_is_read_in_the_order_of_the_texts() {
        for body in [
            r#"{"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.2}]}"#,
            r#"{"object": "list", "data": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.2}]}"#,
            r#"[{"index": 1, "score": 0.9}, {"index": 0, "score": 0.2}]"#,
        ] {
            assert_eq!(read(body, 2), Ok(vec![0.2, 0.9]), "{body}");
        }
    }

    #[test]
    fn bare_outputs_become_shares() {
        let scores = read(r#"[{"index": 0, "score": -4.0}, {"index": 1, "score": 0.0}]"#, 2);
        let scores = scores.unwrap();
        assert!(scores[0] < 0.02 && scores[1] == 0.5, "{scores:?}");
    }

    #[test]
    fn answers_of_no_use_are_told() {
        for (body, why) in [
            ("nonsense", "no list of scores"),
            (r#"{"results": []}"#, "without a score"),
            (r#"[{"index": 7, "score": 0.1}]"#, "not sent"),
        ] {
            assert!(read(body, 1).unwrap_err().contains(why), "{body}");
        }
    }
}
