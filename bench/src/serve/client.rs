//! One client: a connection that stays open, and one request at a time.

use super::served::Served;
use serde_json::json;
use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// No answer takes so long; who waits longer counts an error.
const PATIENCE: Duration = Duration::from_secs(30);

/// What clients saw, in milliseconds.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) recalls: Vec<f64>,
    pub(super) writes: Vec<f64>,
    pub(super) errors: Vec<String>,
}

impl Done {
    pub(super) fn join(&mut self, other: Done) {
        self.recalls.extend(other.recalls);
        self.writes.extend(other.writes);
        self.errors.extend(other.errors);
    }
}

#[derive(Debug)]
pub(super) struct Client {
    stream: BufReader<TcpStream>,
    address: String,
    token: String,
    no_usage: bool,
}

impl Client {
    pub(super) fn connect(served: &Served, no_usage: bool) -> Result<Client, Box<dyn Error>> {
        let (address, token) = (served.address.clone(), served.token.clone());
        Ok(Client { stream: open(&address)?, address, token, no_usage })
    }

    pub(super) fn reconnect(&mut self) -> Result<(), Box<dyn Error>> {
        self.stream = open(&self.address)?;
        Ok(())
    }

    pub(super) fn recall(&mut self, question: &str) -> Result<(), Box<dyn Error>> {
        let ask = json!({ "query": question, "no_usage": self.no_usage });
        self.post("/v1/recall", &ask.to_string())
    }

    pub(super) fn remember(&mut self, key: &str, value: &str) -> Result<(), Box<dyn Error>> {
        let draft = json!({ "kind": "fact", "key": key, "value": value });
        self.post("/v1/memories", &draft.to_string())
    }

    fn post(&mut self, path: &str, body: &str) -> Result<(), Box<dyn Error>> {
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            self.token,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let (status, answer) = self.answer()?;
        match status {
            200 | 201 => Ok(()),
            _ => {
                Err(format!("{path} answered {status}: {}", String::from_utf8_lossy(&answer))
                    .into())
            }
        }
    }

    fn answer(&mut self) -> Result<(u16, Vec<u8>), Box<dyn Error>> {
        let (mut status, mut length) = (None, 0);
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                return Err("the server hung up".into());
            }
            let line = line.trim_end();
            if status.is_none() {
                status = Some(line.split(' ').nth(1).unwrap_or_default().parse()?);
            } else if line.is_empty() {
                break;
            } else if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok((status.ok_or("no status")?, body))
    }
}

fn open(address: &str) -> Result<BufReader<TcpStream>, Box<dyn Error>> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    Ok(BufReader::new(stream))
}
