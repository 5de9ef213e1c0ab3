//! The door itself: what MCP may ask of a server, answered from the tables beside it.

use super::tool::Call;
use super::{prompts, resources, tools};
use crate::http::token::Grant;
use crate::http::{Caller, policy};
use axum::http::request::Parts;
use mnemic_engine::model::policy::Door as Through;
use mnemic_engine::model::{Actor, Author};
use mnemic_engine::recall::context::Profiles;
use mnemic_engine::tokens::Counter;
use mnemic_engine::{Engine, Error, ErrorKind};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest,
    CustomResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::sync::Arc;
use tokio::sync::mpsc;

/// What agents are told before they call anything; hosts cut it at 2 KB.
const INSTRUCTIONS: &str = include_str!("instructions.md");

/// Tables do not change while the program runs.
const STABLE_MS: u64 = 3_600_000;

/// How agents are served, beside what the engine knows.
#[derive(Debug, Clone)]
pub struct Manner {
    /// What contexts are made of.
    pub profiles: Profiles,
    /// Whose tokens are counted.
    pub counter: Counter,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner { profiles: Profiles::built_in(), counter: Counter::default() }
    }
}

/// The MCP server: one for each connection, all over the same engine.
#[derive(Debug, Clone)]
pub struct Door {
    engine: Arc<Engine>,
    manner: Arc<Manner>,
}

impl Door {
    pub fn new(engine: Arc<Engine>, manner: Arc<Manner>) -> Door {
        Door { engine, manner }
    }

    /// What a call works with. Whoever opened the engine, an agent acts: nothing that comes through
    /// this door may pass for a person's word.
    fn call(&self, context: &RequestContext<RoleServer>, told: Option<mpsc::Sender<Step>>) -> Call {
        let actor = &self.engine.settings().actor;
        let actor = match (grant_of(context), actor.is_human()) {
            (Some(grant), _) => agent(Some(&grant.name)),
            (None, true) => agent(context.client_info().map(|client| client.name).as_deref()),
            (None, false) => actor.clone(),
        };
        let progress = move |done, of, at: &str| {
            if let Some(told) = &told {
                // An agent that does not listen misses a step, and nothing waits for it.
                let _ = told.try_send(Step { done, of, at: at.to_owned() });
            }
        };
        Call {
            engine: self.engine.acting_as(actor).through(Through::Mcp),
            manner: self.manner.clone(),
            progress: Box::new(progress),
        }
    }

    /// Runs what may take long or wait for a lock where it blocks nobody.
    async fn aside<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&Call) -> Result<T, ErrorData> + Send + 'static,
    ) -> Result<T, ErrorData> {
        let call = self.call(context, None);
        let done = tokio::task::spawn_blocking(move || work(&call)).await;
        done.unwrap_or_else(|_| Err(ErrorData::internal_error("mnemic failed over it", None)))
    }
}

/// The token behind a request. There is one over HTTP alone; over pipes, whoever started the process
/// has let the caller in.
fn grant_of(context: &RequestContext<RoleServer>) -> Option<Arc<Grant>> {
    let request = context.extensions.get::<Parts>()?;
    request.extensions.get::<Caller>().map(|caller| caller.grant.clone())
}

/// The client as an actor. It names itself, so the name says no more than which agent it claims to
/// be; that it is an agent is ours to say.
fn agent(client: Option<&str>) -> Actor {
    let name: String =
        client.unwrap_or_default().chars().filter(|c| !c.is_control()).take(60).collect();
    let name = name.trim();
    Actor::new(Author::Agent, if name.is_empty() { "mcp" } else { name })
}

/// How far a long call has come.
struct Step {
    done: u64,
    of: u64,
    at: String,
}

/// Steps that may wait to be sent.
const STEPS: usize = 64;

async fn run(
    entry: &'static super::tool::Entry,
    request: CallToolRequestParams,
    door: &Door,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let (sender, mut steps) = mpsc::channel(STEPS);
    let token = context.meta.get_progress_token();
    let call = door.call(context, token.is_some().then_some(sender));
    let arguments = request.arguments.unwrap_or_default();
    let mut work = tokio::task::spawn_blocking(move || (entry.run)(&call, arguments));
    loop {
        tokio::select! {
            biased;
            Some(step) = steps.recv() => {
                let Some(token) = token.clone() else { continue };
                let told = ProgressNotificationParam::new(token, step.done as f64)
                    .with_total(step.of as f64)
                    .with_message(step.at);
                // Whoever left does not want to hear of it.
                let _ = context.peer.notify_progress(told).await;
            }
            done = &mut work => return Ok(done.unwrap_or_else(|_| broken())),
            // What was begun goes on to its end and can be undone; only nobody waits for it.
            () = context.ct.cancelled() => {
                return Err(ErrorData::internal_error("the call was cancelled", None));
            }
        }
    }
}

fn broken() -> CallToolResult {
    super::answer::failed(
        &Error::new(ErrorKind::Internal, "mnemic failed over this call; nothing was half done")
            .hint("run `mnemic doctor`; if it is clean, report this"),
    )
}

/// All lists are short enough for one page: a cursor cannot be ours.
fn refuse_cursor(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        Some(_) => Err(ErrorData::invalid_params("this list has one page and no cursor", None)),
        None => Ok(()),
    }
}

impl ServerHandler for Door {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_prompts()
            .enable_resources()
            .enable_tools()
            .build();
        let server = Implementation::new("mnemic", env!("CARGO_PKG_VERSION"))
            .with_title("mnemic")
            .with_description("A memory for AI agents: keeps what they learned, knows since when.");
        ServerConfig::new(capabilities).with_server_info(server).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        refuse_cursor(request)?;
        let all = tools::all().iter().map(|entry| entry.tool.clone()).collect();
        let list = ListToolsResult::with_all_items(all);
        Ok(list.with_ttl_ms(STABLE_MS).with_cache_scope(CacheScope::Public))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::find(name).map(|entry| entry.tool.clone())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let entry = tools::find(&request.name).ok_or_else(|| {
            let name = request.name.escape_debug();
            ErrorData::invalid_params(format!("unknown tool `{name}`: see tools/list"), None)
        })?;
        if let Some(Err(refusal)) =
            grant_of(&context).map(|grant| policy::allow(&grant, entry.deed))
        {
            return Ok(super::answer::failed(&refusal).into());
        }
        Ok(run(entry, request, self, &context).await?.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        refuse_cursor(request)?;
        let list = ListResourcesResult::with_all_items(resources::all());
        Ok(list.with_ttl_ms(STABLE_MS).with_cache_scope(CacheScope::Public))
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        refuse_cursor(request)?;
        let list = ListResourceTemplatesResult::with_all_items(resources::templates());
        Ok(list.with_ttl_ms(STABLE_MS).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = self.aside(&context, move |call| resources::read(call, &request.uri)).await?;
        Ok(read.with_ttl_ms(0).with_cache_scope(CacheScope::Private).into())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        refuse_cursor(request)?;
        let list = ListPromptsResult::with_all_items(prompts::all());
        Ok(list.with_ttl_ms(STABLE_MS).with_cache_scope(CacheScope::Public))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let name = request.name;
        let got = self.aside(&context, move |call| prompts::get(call, &name, &arguments)).await?;
        Ok(got.into())
    }

    /// A request whose parameters do not fit its method arrives here, as does one of a method that
    /// there is not; whoever sent it must know which.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let wanted = WANTED.iter().find(|(method, _)| *method == request.method);
        Err(match wanted {
            Some((method, wanted)) => {
                ErrorData::invalid_params(format!("the params of {method} need {wanted}"), None)
            }
            None => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None),
        })
    }
}

/// What the parameters of methods must have.
const WANTED: &[(&str, &str)] = &[
    ("tools/call", "`name`, a string, and may have `arguments`, an object"),
    ("prompts/get", "`name`, a string, and may have `arguments`, an object of strings"),
    ("resources/read", "`uri`, a string"),
    ("tools/list", "nothing, or `cursor`, a string"),
    ("prompts/list", "nothing, or `cursor`, a string"),
    ("resources/list", "nothing, or `cursor`, a string"),
    ("resources/templates/list", "nothing, or `cursor`, a string"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_an_agent_whatever_it_calls_itself() {
        for (client, actor) in [
            (Some("claude-code"), "agent:claude-code"),
            (Some("human:ann"), "agent:human:ann"),
            (Some(" \u{1b}\n"), "agent:mcp"),
            (None, "agent:mcp"),
        ] {
            let made = agent(client);
            assert_eq!(made.to_string(), actor);
            assert!(!made.is_human());
            assert_eq!(Actor::parse(&made.to_string()).unwrap(), made, "it reads back");
        }
    }

    #[test]
    fn hosts_cut_what_is_longer_than_two_kilobytes() {
        assert!(INSTRUCTIONS.len() < 2_048, "{}", INSTRUCTIONS.len());
    }
}
