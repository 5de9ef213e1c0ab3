//! Prompts that a person picks in their host: recall before a task, hand over after one.

use super::tool::Call;
use super::tools;
use mnemic_engine::Error;
use mnemic_engine::recall::context::quoted;
use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};

const RECALL: &str = "recall_before_task";
const HAND_OVER: &str = "hand_over";

/// Characters of what a person types into an argument.
const MOST: usize = 4_000;

pub(super) fn all() -> Vec<Prompt> {
    let argument = |name: &str, about: &str, required: bool| {
        PromptArgument::new(name).with_description(about).with_required(required)
    };
    let recall = Prompt::new(
        RECALL,
        Some("Begin a task with everything that is remembered about it."),
        Some(vec![
            argument("task", "What is to be done.", true),
            argument("files", "Files at hand, with commas between them.", false),
        ]),
    );
    let hand_over = Prompt::new(
        HAND_OVER,
        Some("End a session: write down what was learned and pass the work on."),
        Some(vec![argument("to", "Who goes on with it: an agent or a person.", false)]),
    );
    vec![recall.with_title("Recall before a task"), hand_over.with_title("Hand over")]
}

pub(super) fn get(
    call: &Call,
    name: &str,
    arguments: &JsonObject,
) -> Result<GetPromptResult, ErrorData> {
    let given = |name: &str| {
        let text = arguments.get(name).and_then(|value| value.as_str()).unwrap_or_default();
        quoted(text, MOST)
    };
    match name {
        RECALL => recall(call, &given("task"), &given("files")),
        HAND_OVER => Ok(hand_over(&given("to"))),
        _ => {
            let name = name.escape_debug();
            Err(ErrorData::invalid_params(format!("there is no prompt `{name}`"), None))
        }
    }
}

fn recall(call: &Call, task: &str, files: &str) -> Result<GetPromptResult, ErrorData> {
    if task.is_empty() {
        return Err(ErrorData::invalid_params("`task` is missing: say what is to be done", None));
    }
    let mut wanted = tools::ask(call, task.to_owned(), "task");
    wanted.files = files
        .split(',')
        .map(str::trim)
        .filter(|file| !file.is_empty())
        .map(str::to_owned)
        .collect();
    let context = call.engine.context(&wanted).map_err(|error| failed(&error))?;
    let known = match &context.assembled.empty {
        Some(why) => format!("Nothing that was found bears on it: {why}."),
        None => context.assembled.text,
    };
    let text = format!(
        "The task: {task}\n\nThis is what is remembered about it:\n\n{known}\n\nBefore you begin, \
         say in a few lines what of it applies to the task and what you will do differently \
         because of it. Look up what is missing with `search`. When you apply a memory, cite its \
         mark."
    );
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description("A task with what is remembered of it"))
}

fn hand_over(to: &str) -> GetPromptResult {
    let to = if to.is_empty() { "whoever goes on with it" } else { to };
    let text = format!(
        "This session ends. Hand the work over to {to}:\n\
         1. Call `save_learning` for everything that took effort to find out in this session, also \
         for what failed.\n\
         2. Call `remember` for decisions that were made and facts that changed.\n\
         3. Call `remember` with kind `handoff`: in `text` what was done and where it stands, in \
         `affects` the files that were changed, in `open` what is open, blocked or not tested, in \
         `to` the name above.\n\
         4. Call `feedback` with the ids of the memories that you used, and whether the task \
         succeeded.\n\
         Then tell the person in a few lines what you stored."
    );
    let message = PromptMessage::new_text(Role::User, text);
    GetPromptResult::new(vec![message]).with_description("What to write down before leaving")
}

fn failed(error: &Error) -> ErrorData {
    ErrorData::internal_error(error.chain().join(": "), None)
}
