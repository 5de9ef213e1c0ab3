//! MCP over standard input and output: one client, until it closes our input.

use super::door::{Door, Manner};
use super::pipe::Pipe;
use mnemic_engine::{Engine, Error, ErrorKind, Result};
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, GetMeta, ProtocolVersion, ServerJsonRpcMessage,
};
use rmcp::service::{ServerInitializeError, serve_server};
use rmcp::transport::Transport;
use rmcp::transport::io::stdio_pipes;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// Work that goes on when the client has left may take so long; it is safe to stop at any point.
const GRACE: Duration = Duration::from_secs(2);

/// Serves until standard input ends.
pub fn serve(engine: Engine, manner: Manner) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|cause| Error::new(ErrorKind::Io, "no runtime for MCP").because(cause))?;
    let door = Door::new(Arc::new(engine), Arc::new(manner));
    let done = runtime.block_on(async {
        let (read, write) = stdio_pipes();
        until_closed(door, read, write).await
    });
    runtime.shutdown_timeout(GRACE);
    done
}

/// Serves one client over any two ends of a pipe, until it closes ours.
pub async fn until_closed(
    door: Door,
    read: impl AsyncRead + Unpin + Send + 'static,
    write: impl AsyncWrite + Unpin + Send + 'static,
) -> Result<()> {
    let transport = Patient { inner: Pipe::new(read, write), is_open: false };
    match serve_server(door, transport).await {
        Ok(running) => {
            let _ = running.waiting().await;
            Ok(())
        }
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
            Ok(())
        }
        Err(cause) => Err(Error::new(ErrorKind::Invalid, "the client did not begin as MCP asks")
            .because(cause.to_string())
            .hint("start it from an MCP client, or try `mnemic recall` by hand")),
    }
}

/// Lets pass what may open a conversation. Notifications and answers that come before any request
/// mean nothing, and must not end it.
struct Patient<T> {
    inner: T,
    is_open: bool,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Patient<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let message = self.inner.receive().await?;
            self.is_open |= opens(&message);
            if self.is_open || matches!(message, ClientJsonRpcMessage::Request(_)) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

/// Whether a conversation has begun with this message: by a handshake, or by a request that says all
/// about itself.
fn opens(message: &ClientJsonRpcMessage) -> bool {
    let ClientJsonRpcMessage::Request(message) = message else { return false };
    match &message.request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_) => false,
        request => {
            request.get_meta().missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
        }
    }
}
