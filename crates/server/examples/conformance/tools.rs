//! The suite's tools that answer in one go, some of them after asking the client something.

use super::fixture::{Fixture, PIXEL, made};
use rmcp::model::*;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};
use std::time::Duration;

/// A sound of no length.
const SILENCE: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

/// Tools without arguments.
const PLAIN: &[&str] = &[
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_tool_with_logging",
    "test_logging_tool",
    "test_tool_with_progress",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_reconnection",
    "test_missing_capability",
    "test_streaming_elicitation",
    "test_trigger_tool_change",
    "test_trigger_prompt_change",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
];

pub(crate) fn all() -> Result<Vec<Tool>, ErrorData> {
    let tool = |name: &str, schema: Value| {
        made(json!({ "name": name, "description": "For the suite.", "inputSchema": schema }))
    };
    let with = |field: &str, about: Value| json!({ "type": "object", "properties": { field: about }, "required": [field] });
    let text = || json!({ "type": "string" });
    let mut all: Vec<Tool> = Vec::new();
    for name in PLAIN {
        all.push(tool(name, json!({ "type": "object", "properties": {} }))?);
    }
    all.push(tool("test_sampling", with("prompt", text()))?);
    all.push(tool("test_elicitation", with("message", text()))?);
    let region = json!({ "type": "string", "x-mcp-header": "Region" });
    all.push(tool("test_header", with("region", region))?);
    all.push(tool("json_schema_2020_12_tool", schema())?);
    Ok(all)
}

/// Every keyword that must come through as it is.
fn schema() -> Value {
    let text = || json!({ "type": "string" });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": { "street": text(), "city": text() },
        } },
        "properties": {
            "name": text(),
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": text(),
            "email": text(),
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}

pub(crate) async fn call(
    fixture: &Fixture,
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let argument = |name: &str| {
        let value = request.arguments.as_ref().and_then(|all| all.get(name));
        value.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let content = match &*request.name {
        "test_tool_with_logging" => logging(context).await?,
        "test_tool_with_progress" => progress(context).await?,
        "test_sampling" => sampling(context, &argument("prompt")).await?,
        "test_elicitation" => elicit(context, &argument("message"), login()).await?,
        "test_elicitation_sep1034_defaults" => elicit(context, "Please check", defaults()).await?,
        "test_elicitation_sep1330_enums" => elicit(context, "Please choose", enums()).await?,
        "test_missing_capability" => needing_sampling(context)?,
        "test_trigger_tool_change" => {
            fixture.changes.tools.send_modify(|n| *n += 1);
            said("The list of tools changed.")
        }
        "test_trigger_prompt_change" => {
            fixture.changes.prompts.send_modify(|n| *n += 1);
            said("The list of prompts changed.")
        }
        name => return at_once(name),
    };
    made(result(content, false))
}

fn at_once(name: &str) -> Result<CallToolResult, ErrorData> {
    let image = || json!({ "type": "image", "data": PIXEL, "mimeType": "image/png" });
    let resource = |uri: &str, mime: &str, text: &str| json!({ "type": "resource", "resource": { "uri": uri, "mimeType": mime, "text": text } });
    let content = match name {
        "test_simple_text" => said("This is a simple text response for testing."),
        "test_image_content" => json!([image()]),
        "test_audio_content" => {
            json!([{ "type": "audio", "data": SILENCE, "mimeType": "audio/wav" }])
        }
        "test_embedded_resource" => {
            let text = "This is an embedded resource content.";
            json!([resource("test://embedded-resource", "text/plain", text)])
        }
        "test_multiple_content_types" => json!([
            { "type": "text", "text": "Multiple content types test:" },
            image(),
            resource("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
        ]),
        "test_error_handling" => {
            let content = said("This tool intentionally returns an error for testing");
            return made(result(content, true));
        }
        "test_logging_tool" | "test_header" | "json_schema_2020_12_tool" | "test_reconnection" => {
            said("Done.")
        }
        _ => return Err(ErrorData::invalid_params(format!("unknown tool `{name}`"), None)),
    };
    made(result(content, false))
}

pub(crate) fn result(content: Value, is_error: bool) -> Value {
    json!({ "resultType": "complete", "content": content, "isError": is_error })
}

pub(crate) fn said(text: &str) -> Value {
    json!([{ "type": "text", "text": text }])
}

/// The suite waits between the steps, so that they do not come as one.
async fn pause() {
    tokio::time::sleep(Duration::from_millis(50)).await;
}

async fn logging(context: &RequestContext<RoleServer>) -> Result<Value, ErrorData> {
    for text in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        let notice = made(json!({
            "method": "notifications/message",
            "params": { "level": "info", "data": text },
        }))?;
        send(context, notice).await;
        pause().await;
    }
    Ok(said("Logged."))
}

async fn progress(context: &RequestContext<RoleServer>) -> Result<Value, ErrorData> {
    for done in [0, 50, 100] {
        if let Some(token) = context.meta.get_progress_token() {
            let told = ProgressNotificationParam::new(token, f64::from(done)).with_total(100.0);
            drop(context.peer.notify_progress(told).await);
        }
        pause().await;
    }
    Ok(said("Done in three steps."))
}

async fn send(context: &RequestContext<RoleServer>, notice: ServerNotification) {
    drop(context.peer.send_notification(notice).await);
}

/// Asks the client, as revisions before 2026-07-28 could.
async fn ask(context: &RequestContext<RoleServer>, request: Value) -> Result<Value, ErrorData> {
    let failed = |cause: &dyn std::error::Error| ErrorData::internal_error(cause.to_string(), None);
    let answer = context.peer.send_request(made(request)?).await.map_err(|cause| failed(&cause))?;
    serde_json::to_value(answer).map_err(|cause| failed(&cause))
}

async fn sampling(context: &RequestContext<RoleServer>, prompt: &str) -> Result<Value, ErrorData> {
    let message = json!({ "role": "user", "content": { "type": "text", "text": prompt } });
    let params = json!({ "messages": [message], "maxTokens": 100 });
    let answer =
        ask(context, json!({ "method": "sampling/createMessage", "params": params })).await?;
    Ok(said(&format!("LLM response: {}", answer["content"]["text"].as_str().unwrap_or_default())))
}

async fn elicit(
    context: &RequestContext<RoleServer>,
    message: &str,
    schema: Value,
) -> Result<Value, ErrorData> {
    let params = json!({ "mode": "form", "message": message, "requestedSchema": schema });
    let answer = ask(context, json!({ "method": "elicitation/create", "params": params })).await?;
    let (action, content) = (&answer["action"], &answer["content"]);
    Ok(said(&format!("Elicitation completed: action={action}, content={content}")))
}

fn login() -> Value {
    json!({
        "type": "object",
        "properties": {
            "username": { "type": "string", "description": "User's response" },
            "email": { "type": "string", "description": "User's email address" },
        },
        "required": ["username", "email"],
    })
}

fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": {
                "type": "string",
                "enum": ["active", "inactive", "pending"],
                "default": "active",
            },
            "verified": { "type": "boolean", "default": true },
        },
    })
}

fn enums() -> Value {
    let titled = |value: &str, title: &str| json!({ "const": value, "title": title });
    let choices =
        json!([titled("value1", "First"), titled("value2", "Second"), titled("value3", "Third")]);
    let options = json!(["option1", "option2", "option3"]);
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": options },
            "titledSingle": { "type": "string", "oneOf": choices },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": options } },
            "titledMulti": { "type": "array", "items": { "anyOf": choices } },
        },
    })
}

fn needing_sampling(context: &RequestContext<RoleServer>) -> Result<Value, ErrorData> {
    let declared = serde_json::to_value(context.client_capabilities()).unwrap_or_default();
    match declared["sampling"].is_object() {
        true => Ok(said("The client can sample.")),
        false => {
            let needed = made(json!({ "sampling": {} }))?;
            Err(ErrorData::missing_required_client_capability(needed))
        }
    }
}
