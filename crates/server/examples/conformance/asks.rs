//! The suite's tools that need something of the client first and say so in their result.

use super::fixture::made;
use super::tools::{result, said};
use rmcp::model::*;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

/// Handles that the client gives back as they are; what they stand for stays here.
const FIRST: &str = "state-one";
const SECOND: &str = "state-two";

/// A form with one field.
pub(crate) fn form(message: &str, field: &str, kind: &str) -> Value {
    let schema = json!({
        "type": "object",
        "properties": { field: { "type": kind } },
        "required": [field],
    });
    let params = json!({ "mode": "form", "message": message, "requestedSchema": schema });
    json!({ "method": "elicitation/create", "params": params })
}

fn sample(text: &str) -> Value {
    let message = json!({ "role": "user", "content": { "type": "text", "text": text } });
    let params = json!({ "messages": [message], "maxTokens": 100 });
    json!({ "method": "sampling/createMessage", "params": params })
}

fn roots() -> Value {
    json!({ "method": "roots/list", "params": {} })
}

/// None for tools that need nothing.
pub(crate) fn answer(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<Option<CallToolResponse>, ErrorData> {
    let responses = request.input_responses.clone().unwrap_or_default();
    let state = request.request_state.as_deref();
    let name = || form("What is your name?", "name", "string");
    let (needed, next) = match &*request.name {
        "test_input_required_result_elicitation" | "test_streaming_elicitation" => {
            (json!({ "user_name": name() }), None)
        }
        "test_input_required_result_sampling" => {
            (json!({ "capital_question": sample("What is the capital of France?") }), None)
        }
        "test_input_required_result_list_roots" => (json!({ "client_roots": roots() }), None),
        "test_input_required_result_request_state"
        | "test_input_required_result_tampered_state" => {
            (json!({ "confirm": form("Please confirm", "ok", "boolean") }), Some(FIRST))
        }
        "test_input_required_result_multiple_inputs" => {
            let greeting = sample("Generate a greeting");
            let all = json!({ "user_name": name(), "greeting": greeting, "client_roots": roots() });
            (all, Some(FIRST))
        }
        "test_input_required_result_multi_round" => match state {
            None => (json!({ "step1": form("Step 1: your name?", "name", "string") }), Some(FIRST)),
            _ if responses.contains_key("step2") => (json!({}), Some(SECOND)),
            _ => (json!({ "step2": form("Step 2: your color?", "color", "string") }), Some(SECOND)),
        },
        "test_input_required_result_capabilities" => (within(context, name()), None),
        _ => return Ok(None),
    };
    if state.is_some_and(|state| ![FIRST, SECOND].contains(&state)) {
        return Err(ErrorData::invalid_params("the request state is not one of ours", None));
    }
    let needed = needed.as_object().cloned().unwrap_or_default();
    // A response of another shape is no response: it is asked for again.
    let is_given = |key: &String| responses.get(key).is_some_and(Value::is_object);
    if needed.keys().all(is_given) {
        let done = made(result(said("Complete, state-ok."), false))?;
        return Ok(Some(CallToolResponse::Complete(done)));
    }
    let mut asked = json!({ "resultType": "input_required", "inputRequests": needed });
    if let Some(next) = next {
        asked["requestState"] = json!(next);
    }
    Ok(Some(CallToolResponse::InputRequired(made(asked)?)))
}

/// Only what the client says that it can do.
fn within(context: &RequestContext<RoleServer>, name: Value) -> Value {
    let declared = serde_json::to_value(context.client_capabilities()).unwrap_or_default();
    let mut needed = json!({});
    for (capability, key, request) in [
        ("sampling", "greeting", sample("Generate a greeting")),
        ("elicitation", "user_name", name),
    ] {
        if declared[capability].is_object() {
            needed[key] = request;
        }
    }
    needed
}
