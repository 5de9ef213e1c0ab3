//! A server for the MCP conformance suite: the suite's own tools on our transport, or our door.
//!
//! `conformance` serves the fixtures that the suite asks for; `conformance DIR` serves the door over
//! a store in that directory, which is made when it is missing. Prints the address it listens on.

mod asks;
mod fixture;
mod prompts;
mod tools;

use mnemic_engine::model::{Actor, Author};
use mnemic_engine::place::{PROJECT_DIR, Place, STORE_FILE};
use mnemic_engine::{Engine, Settings};
use mnemic_server::mcp::{self, Manner, Reach};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let router = match std::env::args().nth(1) {
        Some(dir) => {
            let engine = Arc::new(engine(Path::new(&dir))?);
            mcp::router(engine, Manner::default(), Reach::default(), std::future::pending())
        }
        None => {
            let changes = Arc::new(fixture::Changes::default());
            let make = move || fixture::Fixture::new(changes.clone());
            mcp::mounted(make, Reach::default(), std::future::pending())
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}{}", listener.local_addr()?, mcp::PATH);
    Ok(axum::serve(listener, router).await?)
}

fn engine(dir: &Path) -> Result<Engine, Box<dyn Error>> {
    let dir = dir.join(PROJECT_DIR);
    let exists = dir.join(STORE_FILE).exists();
    let actor = Actor::new(Author::Human, "tester");
    let mut settings = Settings::new(Some(Place { dir, exists }), None, actor);
    Engine::init_project(&mut settings)?;
    Ok(Engine::open(settings)?)
}
