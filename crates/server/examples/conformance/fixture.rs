//! What the suite expects of a server beside its tools: resources, prompts, completions, changes.

use super::{asks, prompts, tools};
use rmcp::model::*;
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::watch;

/// The smallest image there is: one pixel.
pub(crate) const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/// Counts the changes to lists, so that those who listen hear of them.
#[derive(Debug)]
pub(crate) struct Changes {
    pub(crate) tools: watch::Sender<u64>,
    pub(crate) prompts: watch::Sender<u64>,
}

impl Default for Changes {
    fn default() -> Changes {
        Changes { tools: watch::Sender::new(0), prompts: watch::Sender::new(0) }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Fixture {
    pub(crate) changes: Arc<Changes>,
}

impl Fixture {
    pub(crate) fn new(changes: Arc<Changes>) -> Fixture {
        Fixture { changes }
    }
}

/// Values of the protocol are written as JSON here, as the suite words them.
pub(crate) fn made<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value)
        .map_err(|wrong| ErrorData::internal_error(wrong.to_string(), None))
}

fn resource(uri: &str) -> Option<Value> {
    let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
    let text = |mime: &str, text: String| json!({ "uri": uri, "mimeType": mime, "text": text });
    match (uri, id) {
        ("test://static-text", _) => {
            Some(text("text/plain", "This is the content of the static text resource.".into()))
        }
        ("test://static-binary", _) => {
            Some(json!({ "uri": uri, "mimeType": "image/png", "blob": PIXEL }))
        }
        ("test://watched-resource", _) => Some(text("text/plain", "Watched.".into())),
        (_, Some(id)) => {
            let data =
                json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            Some(text("application/json", data.to_string()))
        }
        _ => None,
    }
}

#[allow(deprecated, reason = "the suite asks for what older revisions had")]
impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let capabilities = made(json!({
            "tools": { "listChanged": true },
            "prompts": { "listChanged": true },
            "resources": { "subscribe": true, "listChanged": true },
            "logging": {},
            "completions": {},
        }));
        ServerConfig::new(capabilities.expect("these are capabilities"))
            .with_server_info(Implementation::new("mnemic-conformance", env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()?))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::all().ok()?.into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match asks::answer(&request, &context)? {
            Some(response) => Ok(response),
            None => Ok(tools::call(self, &request, &context).await?.into()),
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let uris = ["test://static-text", "test://static-binary", "test://watched-resource"];
        let all = uris.map(|uri| Resource::new(uri, uri).with_description("For the suite."));
        Ok(ListResourcesResult::with_all_items(all.into()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = ResourceTemplate::new("test://template/{id}/data", "template");
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = resource(&request.uri).ok_or_else(|| {
            ErrorData::resource_not_found("Resource not found", Some(json!({ "uri": request.uri })))
        })?;
        Ok(ReadResourceResult::new(vec![made(contents)?]).into())
    }

    async fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        wanted: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(wanted.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut tools = self.changes.tools.subscribe();
        let mut prompts = self.changes.prompts.subscribe();
        loop {
            // What was not asked for is refused by the sink, which is what we want.
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                Ok(()) = tools.changed() => drop(context.sink().notify_tool_list_changed().await),
                Ok(()) = prompts.changed() => {
                    drop(context.sink().notify_prompt_list_changed().await);
                }
            }
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::all()?))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&request)
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let completion = json!({ "values": ["paris", "park"], "total": 2, "hasMore": false });
        made(json!({ "resultType": "complete", "completion": completion }))
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let is_gone = context.protocol_version() >= Some(ProtocolVersion::V_2026_07_28);
        match is_gone {
            true => Err(ErrorData::method_not_found::<SetLevelRequestMethod>()),
            false => Ok(()),
        }
    }
}
