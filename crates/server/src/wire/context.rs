//! A context as programs read it.

use mnemic_engine::Context;
use mnemic_engine::recall::context::{Assembled, Handout};
use serde_json::{Value, json};

pub fn context(context: &Context) -> Value {
    let mut view = assembled(&context.assembled);
    view["task_type"] = json!(context.task_type.map(|task| task.as_str()));
    view["evidence"] = json!(context.evidence);
    view
}

pub fn handout(handout: &Handout) -> Value {
    json!({ "pack": assembled(&handout.pack), "pointers": assembled(&handout.pointers) })
}

fn assembled(one: &Assembled) -> Value {
    let tiers: serde_json::Map<String, Value> =
        one.tiers.iter().map(|(name, tokens)| (name.clone(), json!(tokens))).collect();
    let shown: Vec<Value> = one
        .shown
        .iter()
        .map(|memory| {
            json!({
                "id": memory.id,
                "citation": format!("{}:{}", memory.mark.letter(), memory.citation),
                "level": memory.level.as_str(),
                "tier": memory.tier,
                "tokens": memory.tokens,
            })
        })
        .collect();
    let left_out: Vec<Value> =
        one.left_out.iter().map(|(id, why)| json!({ "id": id, "because": why.as_str() })).collect();
    json!({
        "text": one.text,
        "tokens": one.tokens,
        "budget": one.budget,
        "tiers": tiers,
        "shown": shown,
        "left_out": left_out,
        "empty": one.empty.as_ref().map(ToString::to_string),
    })
}
