//! The suite's prompts.

use super::asks::form;
use super::fixture::{PIXEL, made};
use rmcp::ErrorData;
use rmcp::model::*;
use serde_json::{Value, json};

pub(crate) fn all() -> Result<Vec<Prompt>, ErrorData> {
    let argument =
        |name: &str| json!({ "name": name, "description": "Any text.", "required": true });
    let prompt = |name: &str, arguments: Value| {
        made(json!({ "name": name, "description": "For the suite.", "arguments": arguments }))
    };
    Ok(vec![
        prompt("test_simple_prompt", json!([]))?,
        prompt("test_prompt_with_arguments", json!([argument("arg1"), argument("arg2")]))?,
        prompt("test_prompt_with_embedded_resource", json!([argument("resourceUri")]))?,
        prompt("test_prompt_with_image", json!([]))?,
        prompt("test_input_required_result_prompt", json!([]))?,
    ])
}

pub(crate) fn get(request: &GetPromptRequestParams) -> Result<GetPromptResponse, ErrorData> {
    let argument = |name: &str| {
        let value = request.arguments.as_ref().and_then(|all| all.get(name));
        value.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let text = |text: String| json!({ "type": "text", "text": text });
    let contents = match request.name.as_str() {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.".into())],
        "test_prompt_with_arguments" => {
            let (first, second) = (argument("arg1"), argument("arg2"));
            vec![text(format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))]
        }
        "test_prompt_with_embedded_resource" => vec![
            json!({ "type": "resource", "resource": {
                "uri": argument("resourceUri"),
                "mimeType": "text/plain",
                "text": "Embedded resource content for testing.",
            } }),
            text("Please process the embedded resource above.".into()),
        ],
        "test_prompt_with_image" => vec![
            json!({ "type": "image", "data": PIXEL, "mimeType": "image/png" }),
            text("Please analyze the image above.".into()),
        ],
        "test_input_required_result_prompt" => {
            let given = request.input_responses.clone().unwrap_or_default();
            if !given.get("user_context").is_some_and(Value::is_object) {
                let ask = form("What context should the prompt use?", "context", "string");
                let asked = json!({
                    "resultType": "input_required",
                    "inputRequests": { "user_context": ask },
                });
                return Ok(GetPromptResponse::InputRequired(made(asked)?));
            }
            vec![text("A prompt with your context.".into())]
        }
        name => return Err(ErrorData::invalid_params(format!("unknown prompt `{name}`"), None)),
    };
    let messages: Vec<Value> =
        contents.into_iter().map(|content| json!({ "role": "user", "content": content })).collect();
    Ok(GetPromptResponse::Complete(made(
        json!({ "resultType": "complete", "messages": messages }),
    )?))
}
