//! Rankings on disk, each with the parts of its scores, to see why an answer stands where it stands.

use super::data::{Corpus, Query};
use mnemic_engine::recall::Found;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::path::Path;

/// Where rankings go; nowhere unless asked for.
#[derive(Debug)]
pub(super) struct Rankings(Option<BufWriter<File>>);

impl Rankings {
    pub(super) fn to(path: Option<&Path>) -> Result<Rankings> {
        Ok(Rankings(path.map(File::create).transpose()?.map(BufWriter::new)))
    }

    pub(super) fn write(
        &mut self,
        data: &str,
        variant: &str,
        query: &Query,
        corpus: &Corpus,
        ranked: &[(usize, &Found)],
    ) -> Result<()> {
        let Some(file) = &mut self.0 else { return Ok(()) };
        let ranked = ranked.iter().map(|(place, found)| {
            let id = &corpus.documents[*place].id;
            let twins: Vec<&str> = found.twins.iter().map(|twin| twin.id.as_str()).collect();
            json!({ "id": id, "score": found.score, "parts": parts(found), "twins": twins })
        });
        let ranked: Vec<Value> = ranked.collect();
        let line = json!({
            "data": data, "variant": variant, "question": query.id, "ranked": ranked,
        });
        writeln!(file, "{line}")
    }
}

/// Name of each part with its raw measure, value and weight.
fn parts(found: &Found) -> Map<String, Value> {
    let parts = found.explanation.parts.iter();
    parts.map(|part| (part.name.to_owned(), json!([part.raw, part.value, part.weight]))).collect()
}
