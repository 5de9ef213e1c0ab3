//! A conversation over bytes: a frame a line, and every mistake answered as JSON-RPC asks.

use super::frame::{self, Frame};
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;

/// More than any agent says at once; a peer that never ends its line must not fill the memory.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// Both ends of a pipe. Whoever waits for a frame or sends one may stop waiting at any point, so all
/// that is half done is kept here and not in the futures.
pub(super) struct Pipe<R, W> {
    read: BufReader<R>,
    line: Vec<u8>,
    /// The line is too long already: the rest of it is passed over.
    skips: bool,
    /// What a mistake is answered with, as long as it has not been handed over.
    says: Option<Value>,
    out: Arc<Mutex<Out<W>>>,
}

struct Out<W> {
    write: Option<W>,
    owed: Vec<u8>,
    /// How much of what is owed has been written.
    paid: usize,
}

enum Line {
    Whole,
    TooLong,
    /// There will be no more. What came without an end was torn off, and means nothing.
    None,
}

impl<R: AsyncRead + Unpin, W> Pipe<R, W> {
    pub(super) fn new(read: R, write: W) -> Pipe<R, W> {
        let out = Out { write: Some(write), owed: Vec::new(), paid: 0 };
        Pipe {
            read: BufReader::new(read),
            line: Vec::new(),
            skips: false,
            says: None,
            out: Arc::new(Mutex::new(out)),
        }
    }

    async fn next_line(&mut self) -> Line {
        loop {
            let bytes = match self.read.fill_buf().await {
                Ok([]) | Err(_) => return Line::None,
                Ok(bytes) => bytes,
            };
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(bytes.len(), |end| end + 1);
            if self.line.len() + taken > MOST_BYTES {
                self.line = Vec::new();
                self.skips = true;
            }
            if !self.skips {
                self.line.extend_from_slice(&bytes[..taken]);
            }
            self.read.consume(taken);
            if end.is_some() {
                return if std::mem::take(&mut self.skips) { Line::TooLong } else { Line::Whole };
            }
        }
    }
}

impl<W: AsyncWrite + Unpin> Out<W> {
    fn owe(&mut self, frame: &impl serde::Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.owed, frame)?;
        self.owed.push(b'\n');
        Ok(())
    }

    /// Writes what is owed. A frame that was begun is finished before the next, whoever sent it.
    async fn pay(&mut self) -> io::Result<()> {
        let write = self.write.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        while self.paid < self.owed.len() {
            match write.write(&self.owed[self.paid..]).await? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                n => self.paid += n,
            }
        }
        self.owed.clear();
        self.paid = 0;
        write.flush().await
    }
}

impl<R, W> Transport<RoleServer> for Pipe<R, W>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let out = self.out.clone();
        async move {
            let mut out = out.lock().await;
            out.owe(&item)?;
            out.pay().await
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Some(answer) = &self.says {
                let mut out = self.out.lock().await;
                out.owe(answer).ok()?;
                self.says = None;
                out.pay().await.ok()?;
            }
            match self.next_line().await {
                Line::None => return None,
                Line::TooLong => self.says = Some(frame::too_long(MOST_BYTES)),
                Line::Whole => {
                    let frame = frame::read(&self.line);
                    self.line.clear();
                    match frame {
                        Frame::Message(message) => return Some(*message),
                        Frame::Nothing => {}
                        Frame::Wrong(answer) => self.says = Some(answer),
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        let mut out = self.out.lock().await;
        let paid = out.pay().await;
        out.write = None;
        paid
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    /// What is read of some bytes, and what is said about them.
    fn conversation(bytes: Vec<u8>) -> (Vec<ClientJsonRpcMessage>, String) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            // Room for everything: nobody reads before the end.
            let (out, mut said) = tokio::io::duplex(1 << 20);
            let mut pipe = Pipe::new(io::Cursor::new(bytes), out);
            let mut read = Vec::new();
            while let Some(message) = pipe.receive().await {
                read.push(message);
            }
            pipe.close().await.expect("it is written");
            drop(pipe);
            let mut text = String::new();
            said.read_to_string(&mut text).await.expect("text");
            (read, text)
        })
    }

    #[test]
    fn mistakes_between_messages_are_answered_in_their_order() {
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let (read, said) = conversation(format!("{ping}\nhello\n\n[]\n{ping}\ntorn").into_bytes());
        assert_eq!(read.len(), 2);
        let codes: Vec<Value> = said
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
            .map(|answer| answer["error"]["code"].clone())
            .collect();
        assert_eq!(codes, [-32_700, -32_600]);
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over() {
        let mut bytes = vec![b'x'; MOST_BYTES + 7];
        bytes.extend_from_slice(b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
        let (read, said) = conversation(bytes);
        assert_eq!(read.len(), 1);
        assert_eq!(said.lines().count(), 1);
        assert!(said.contains("longer than"), "{said}");
    }
}
