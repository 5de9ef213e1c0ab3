//! What goes to an OpenAI-compatible service and what comes back.

use serde::{Deserialize, Serialize};

use crate::Vector;
use crate::embedder::normalised;

#[derive(Debug, Serialize)]
pub(super) struct Request<'a> {
    pub(super) model: &'a str,
    pub(super) input: &'a [String],
    pub(super) encoding_format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dimensions: Option<usize>,
}

#[derive(Debug, Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Debug, Deserialize)]
struct Item {
    /// Some services leave it out and answer in order.
    index: Option<usize>,
    embedding: Vec<f32>,
}

#[derive(Debug, Deserialize)]
struct Complaint {
    error: ComplaintBody,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum ComplaintBody {
    Structured { message: String },
    Plain(String),
}

/// The unit vectors of an answer in the order of the texts; the error says what is wrong.
pub(super) fn vectors(
    body: &str,
    texts: usize,
    dimensions: Option<usize>,
) -> Result<Vec<Vector>, String> {
    let answer: Answer =
        serde_json::from_str(body).map_err(|error| format!("it cannot be read: {error}"))?;
    if answer.data.len() != texts {
        return Err(format!("it has {} vectors for {texts} texts", answer.data.len()));
    }
    let mut vectors: Vec<Option<Vector>> = vec![None; texts];
    for (nth, item) in answer.data.into_iter().enumerate() {
        let width = item.embedding.len();
        if let Some(due) = dimensions.filter(|&due| due != width) {
            return Err(format!("it has vectors of {width} dimensions where {due} are due"));
        }
        let vector = normalised(item.embedding).ok_or("it has a vector without direction")?;
        let slot = vectors.get_mut(item.index.unwrap_or(nth)).ok_or("it numbers texts not sent")?;
        *slot = Some(vector);
    }
    let vectors: Option<Vec<Vector>> = vectors.into_iter().collect();
    let vectors = vectors.ok_or("it has two vectors for one text")?;
    match vectors.windows(2).all(|pair| pair[0].len() == pair[1].len()) {
        true => Ok(vectors),
        false => Err("its vectors differ in length".to_owned()),
    }
}

/// What a service said when it refused, in one short line.
pub(crate) fn complaint(body: &str) -> String {
    let said = match serde_json::from_str(body) {
        Ok(Complaint { error: ComplaintBody::Structured { message } }) => message,
        Ok(Complaint { error: ComplaintBody::Plain(message) }) => message,
        Err(_) => body.to_owned(),
    };
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(200) {
        _ if line.is_empty() => "nothing more".to_owned(),
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_good_and_bad() {
        let item = |index: &str, numbers: &str| format!("{{{index}\"embedding\":[{numbers}]}}");
        let body = |items: &[String]| format!("{{\"data\":[{}]}}", items.join(","));
        let turned = [item("\"index\":1,", "0,2"), item("\"index\":0,", "3,0")];
        assert_eq!(vectors(&body(&turned), 2, None), Ok(vec![vec![1.0, 0.0], vec![0.0, 1.0]]));
        let plain = [item("", "0,2"), item("", "3,0")];
        assert_eq!(vectors(&body(&plain), 2, Some(2)), Ok(vec![vec![0.0, 1.0], vec![1.0, 0.0]]));
        for (items, due, expected) in [
            (&plain[..1], None, "it has 1 vectors for 2 texts"),
            (&plain[..], Some(3), "it has vectors of 2 dimensions where 3 are due"),
            (&[item("", "0"), item("", "1")], None, "it has a vector without direction"),
            (&[item("", "1"), item("", "1,2")], None, "its vectors differ in length"),
            (&[turned[0].clone(), turned[0].clone()], None, "it has two vectors for one text"),
            (&[item("\"index\":9,", "1"), item("", "1")], None, "it numbers texts not sent"),
        ] {
            assert_eq!(vectors(&body(items), 2, due), Err(expected.to_owned()));
        }
        assert!(vectors("<html>", 1, None).is_err());
    }

    #[test]
    fn complaints_are_one_short_line() {
        for (body, expected) in [
            (r#"{"error":{"message":"no such\n model","type":"x"}}"#, "no such model"),
            (r#"{"error":"model not found"}"#, "model not found"),
            ("bad\r\ngateway", "bad gateway"),
            ("", "nothing more"),
        ] {
            assert_eq!(complaint(body), expected);
        }
        assert_eq!(complaint(&"é".repeat(500)).chars().count(), 201);
    }
}
