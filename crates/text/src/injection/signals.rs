//! What gives an order away: one row a signal, with how much it says alone.

use super::{folded::twin, languages};
use aho_corasick::{AhoCorasick, AhoCorasickKind, FindOverlappingIter};
use regex::bytes::{Regex, RegexBuilder};
use std::collections::{BTreeSet, VecDeque};
use std::iter::Peekable;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

#[derive(Debug)]
pub(super) struct Signal {
    pub(super) name: &'static str,
    pub(super) weight: f64,
    /// Without one of these no pattern fits: most texts are passed over quickly.
    triggers: &'static [&'static str],
    /// Any of these, in a text that is folded; none for signals that are found otherwise.
    patterns: &'static [&'static str],
}

const fn signal(
    name: &'static str,
    weight: f64,
    triggers: &'static [&'static str],
    patterns: &'static [&'static str],
) -> Signal {
    Signal { name, weight, triggers, patterns }
}

pub(super) const SMUGGLED: usize = 0;
pub(super) const TURNED: usize = 1;
pub(super) const BETWEEN: usize = 2;
pub(super) const UNREAD: usize = 3;
pub(super) const TWINS: usize = 4;
pub(super) const DISGUISED: usize = 5;

pub(super) const SIGNALS: &[Signal] = &[
    signal("hidden characters", 0.8, &[], &[]),
    signal("turned direction", 0.6, &[], &[]),
    signal("zero-width characters", 0.5, &[], &[]),
    signal("too long to read", 0.3, &[], &[]),
    signal("look-alike letters", 0.5, &[], &[]),
    signal("words in disguise", 0.5, &[], &[]),
    signal(
        "override",
        0.85,
        &[
            "ignore",
            "disregard",
            "forget",
            "overrid",
            "overrul",
            "bypass",
            "discard",
            "drop",
            "instruction",
            "guideline",
            "directive",
            "rules",
            "prompts",
            "new orders",
        ],
        &[
            r"\b(?:ignore|disregard|forget|override|overrule|bypass|discard|drop)\b[^.]{0,30}\b(?:previous|prior|preceding|above|earlier|existing|stored|former|all|your|system|safety)\b[^.]{0,40}\b(?:instructions?|rules?|prompts?|guidelines|directions|directives|constraints|commands|guardrails|training)\b",
            r"\b(?:previous|prior|earlier|above|all|existing) (?:instructions|rules|guidelines|directives|prompts) (?:are|is|were|have been) (?:now )?(?:void|cancelled|canceled|revoked|superseded|obsolete|invalid|lifted|suspended|no longer)",
            r"\bnew (?:system )?(?:instructions|directives|orders)(?: for you)? ?:",
            r"\binstead of (?:your|the) (?:instructions|system prompt|task)\b",
            r"\b(?:forget|disregard|ignore) (?:everything|anything|all|whatever)(?: that| of what)? (?:you|i|we|they)(?:'ve| have| had| were| was)? (?:been |already |just )?(?:told|said|taught|instructed|asked|given|learn(?:ed|t)|know)\b",
            r"\b(?:ignore|disregard|defy|override)\b (?:all )?(?:of )?(?:the |your )?(?:user|human|owner|operator)s?'?s? (?:wishes|will|orders|commands|instructions|objections)\b",
        ],
    ),
    signal("override", 0.85, languages::TRIGGERS, languages::OVERRIDE),
    // Whoever may approve does so where the agent asks, and not in a text that it finds.
    signal(
        "claimed consent",
        0.6,
        &[
            "without ask",
            "without confirm",
            "without approv",
            "without permission",
            "permission prompt",
            "skip-permission",
            "skip permission",
            "skip confirm",
            "skip approv",
        ],
        &[
            r"\bthe (?:user|human|owner|operator|developer|admin|maintainer) (?:has |have |had |already |explicitly |also )*(?:approved?|prefers?|wants?|wishes|allow(?:s|ed)?|agree(?:s|d)?|grant(?:s|ed)?|consent(?:s|ed)?|authori[sz]e[sd]?|confirmed)\b[^.\n]{0,60}\b(?:you|agents?|commands?|tools?|actions?|edits?)\b[^.\n]{0,60}\b(?:without (?:asking|confirm\w*|approval|permissions?)|skip (?:the |all |any )?(?:permission|confirmation|approval)|permission prompts|dangerously-skip-permissions)",
        ],
    ),
    signal(
        "role",
        0.6,
        &[
            "im_start",
            "im_end",
            "<|",
            "<system",
            "</system",
            "<assistant",
            "endoftext",
            "eot_id",
            "begin_of_text",
            "[inst",
            "[/inst",
            "[sys",
            "[/sys",
            "<<sys",
            "system",
            "developer",
            " mode ",
        ],
        &[
            r"<\|? ?/?(?:im_start|im_end|system|assistant|endoftext|eot_id|start_header_id|begin_of_text)\b ?\|?>",
            r"\[/?(?:inst|system|sys)\]|<<sys>>",
            r"(?:^|\n)[#>\- ]{0,6}(?:system|developer)(?: prompt| message| instructions?| override)? ?:",
            r"\b(?:begin|start|end) (?:of )?(?:the )?(?:new )?system (?:prompt|message|instructions)\b",
            r"\b(?:admin|administrator|developer|root|god|debug|dan) mode (?:is )?(?:enabled|activated|on)\b",
        ],
    ),
    signal(
        "address",
        0.55,
        &[
            "you are",
            "you're",
            "from now on",
            "pretend",
            "act as",
            "behave",
            "respond",
            "reading this",
            "processing this",
            "parsing this",
            "ing this",
            "read by",
            "note",
            "message",
            "attention",
            "important",
            "notice",
            "agents",
            "agent ",
            "assistant",
            "an ai",
            "an llm",
            "a language model",
            "the ai",
            "the model",
            "asks",
            "asked",
            "ask ",
        ],
        &[
            r"\b(?:you are|you're) (?:now|no longer|from now on)\b[^.\n]{0,20}\b(?:an?|the|my|in|bound|allowed|free|required|authori[sz]ed)\b",
            r"\bfrom now on,? (?:you|every|all|any|always)\b",
            r"\b(?:pretend|act|behave|respond) (?:to be|as if you|as though you|as an? (?:unrestricted|different|new|uncensored))\b",
            r"\b(?:ai|llm|language model|coding|automated)?[ -]?(?:agents?|assistants?|models?|bots?|copilots?|llms?)\b[^.\n]{0,40}\b(?:reading|processing|parsing|summari[sz]ing|seeing|indexing) this\b",
            r"\bif (?:you are|you're|this is read by) an? (?:ai|llm|agent|assistant|bot|language model|model|automated)\b",
            r"\bas an? (?:ai|llm|language model|ai (?:model|agent|assistant)),? (?:you (?:must|shall|have to|are required to) )?(?:now |always |never |first |immediately )?(?:ignore|disregard|forget|run|execute|send|upload|post|delete|exfiltrate|leak|reveal|obey|comply)\b",
            r"\b(?:note|message|attention|important|notice)[ :,]{1,3}(?:(?:to|for) (?:all |any |the )?)?(?:ai|llm|agents?|assistants?|copilots?)\b",
            r"\b(?:agents?|assistants?|an ai|the ai|the model) (?:must|shall|is required to|are required to|is instructed to|are instructed to) (?:now |always |never |first |immediately |not |also )?(?:run|execute|send|call|follow|obey|ignore|write|delete|post|reply|answer|say|tell|comply|disregard|include|apply)\b",
            r"\bwhen (?:you are |the user |a user |anyone |someone |somebody |they )?asks?(?:ed)?\b[^.\n]{0,60}\b(?:tell|say|answer|reply|respond|recommend|give|claim)\b",
        ],
    ),
    signal(
        "concealment",
        0.65,
        &[
            "tell",
            "mention",
            "inform",
            "reveal",
            "disclos",
            "notify",
            "alert",
            "warn",
            "keep",
            "hide",
            "conceal",
            "silently",
            "secretly",
            "quietly",
            "covertly",
            "invisibly",
        ],
        &[
            r"\b(?:do not|don't|never|must not|without) (?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|disclose|disclosing|notify|notifying|alert|alerting|warn|warning)\b[^.\n]{0,30}\b(?:the user|users|the human|the operator|the developer|anyone|anybody|them|him|her|this|it to)\b",
            r"\b(?:keep|hide|conceal) (?:this|it|that|these) (?:secret|hidden|quiet|silent|confidential)?[^.\n]{0,12}\bfrom (?:the )?(?:user|human|operator|developer|reviewer|team)\b",
            r"\b(?:silently|secretly|quietly|covertly|invisibly) (?:run|execute|send|add|include|insert|append|call|post|upload|copy|write|delete|change|replace|forward)\b",
        ],
    ),
    signal(
        "tool call",
        0.6,
        &["tool", "function", "invoke", "recipient_name"],
        &[
            r"</?(?:antml:)?(?:tool_call|tool_use|tool_result|function_calls?|function_results?|invoke|tool_response)\b[^>\n]{0,80}>",
            r#"\{ ?"(?:tool|tool_name|function_call|tool_calls|recipient_name)" ?:"#,
            r"\b(?:call|invoke|execute) (?:the |your )?[\w.-]{2,40} tool (?:with|now|immediately)\b",
        ],
    ),
    signal(
        "exfiltration",
        0.65,
        &[
            "send",
            "post",
            "upload",
            "forward",
            "exfiltrate",
            "steal",
            "mail",
            "cop",
            "paste",
            "leak",
            "transmit",
            "share",
            "append",
            "attach",
            "drop",
            "include",
            "put",
            "publish",
            "report",
            "![",
            "curl",
            "wget",
            "fetch",
            "invoke-webrequest",
            "cat ",
            "env",
        ],
        &[
            r"\b(?:send|sends|sending|post|posts|posting|upload|uploads|forward|forwards|exfiltrate|e?-?mail|copy|copies|paste|leak|transmit|share|append|attach|drop|include|put|publish|report)\b (?:the|your|all|any|its|this|our|my|every|their|a|both|full|contents)\b[^.\n]{0,80}(?:api[ _-]?keys?|tokens?|credentials?|secrets?|passwords?|\.env\b|env(?:ironment)? (?:files?|variables?)|private keys?|ssh keys?|cookies|conversation|chat history|system prompt|database dump|source code|customer data|memories)\b[^\n]{0,80}(?:https?[:/]|@|\bchannel\b|\bwebhook\b|\btickets?\b|\bpublic\b|\burl\b|\bendpoint\b|\bgist\b|\bpastebin\b|\bthread\b|\bserver\b|\bissue\b|\baddress\b)",
            r"!\[[^\]\n]{0,40}\]\(https?://[^)\n]{0,120}[?&=][^)\n]{0,20}(?:\{|\$|<|data|secret|token|key)",
            r"\b(?:curl|wget|fetch|invoke-webrequest)\b[^\n]{0,120}(?:\$\((?:cat|env|printenv|base64)|@?/etc/passwd|\.ssh/|\.env\b|\.aws/|env \|)",
            r"\b(?:exfiltrate|leak|steal|upload|send|post|transmit|e?-?mail|forward|publish)\b[^.\n]{0,40}(?:(?:\.ssh/)?\bid_(?:rsa|dsa|ecdsa|ed25519)(?:[^.\w]|$|\.(?:\W|$))|\.aws/credentials\b|/etc/shadow\b)",
            r"\b(?:cat|env|printenv)\b[^\n]{0,60}\| ?(?:curl|nc|wget|mail)\b",
        ],
    ),
    signal(
        "prompt leak",
        0.6,
        &["prompt", "instructions", "system message", "hidden rules"],
        &[
            r"\b(?:reveal|print|show|repeat|output|display|dump|recite|leak|tell me) (?:me )?(?:your|the|its) (?:full |entire |complete |exact |hidden |initial )?(?:system prompt|system message|instructions|hidden (?:prompt|rules)|initial prompt)\b",
        ],
    ),
    signal(
        "decode and obey",
        0.65,
        &[
            "decod",
            "base64",
            "rot13",
            "hex",
            "unescape",
            "atob",
            "decrypt",
            "deobfuscate",
            "reverse",
            "encod",
            "encrypt",
        ],
        &[
            r"\b(?:decode|decoded|decoding|base64|rot13|hex|unescape|atob|decrypt|deobfuscate|reverse)\b[^\n]{0,120}\b(?:follow|execute|obey|run|do what|carry out|perform|comply|act on|eval|apply)\b",
            r"\b(?:follow|execute|obey|run|carry out|perform|comply with|act on|eval|apply)\b[^\n]{0,60}\b(?:decoded|decoding|base64|rot13|hex[- ]encoded|encoded|encrypted)\b",
        ],
    ),
    signal(
        "forged memory",
        0.7,
        &["recalled-by-mnemic", "[m", "[g", "[r", "[p", "[ m", "[ g", "[ r", "[ p", "applied"],
        &[r"recalled-by-mnemic", r"\[ ?[mgrp] ?: ?[0-9a-f]{8} ?\]", r"\bapplied ?: ?\["],
    ),
    signal(
        "memory order",
        0.55,
        &[
            "memor",
            "mandate",
            "guardrail",
            "instructions",
            "system prompt",
            "rules",
            "trusted",
            "verified",
            "mandatory",
            "authoritative",
            "absolute",
        ],
        &[
            r"\b(?:remember|save|store|add|write|record|persist|commit|put)\b[^.\n]{0,40}\b(?:to|in|into) (?:your |the |long[- ]term |agent |permanent |shared )+(?:memory|memories|mandates?|guardrails?|instructions|system prompt|rules)\b",
            r"\b(?:update|change|replace|rewrite|edit|modify|overwrite) (?:your|the agent's|the assistant's) (?:memory|memories|instructions|system prompt|rules|mandates?|guardrails?)\b",
            r"\b(?:mark|treat|consider|store|save) (?:this|it|the following|that)[^.\n]{0,30}\bas (?:a )?(?:trusted|verified|mandate|mandatory|guardrail|authoritative|an? absolute rule)\b",
        ],
    ),
    signal(
        "remote code",
        0.35,
        &["curl", "wget", "iex", "invoke-expression", "base64"],
        &[
            r"\b(?:curl|wget)\b[^\n|]{0,160}\| ?(?:sudo )?(?:ba|z|da|k)?sh\b",
            r"(?:source|\.|bash|sh|eval) ?(?:<\(|[\x22']?\$\() ?(?:curl|wget)\b",
            r"\b(?:iex|invoke-expression)\b[^\n]{0,40}\b(?:iwr|irm|downloadstring|invoke-webrequest)\b",
            r"\bbase64 (?:-d|--decode|-D)\b[^\n]{0,20}\| ?(?:ba)?sh\b",
        ],
    ),
    signal(
        "destruction",
        0.35,
        &["rm -rf", "drop ", "truncate", "git push", "delete", "erase", "wipe", "destroy"],
        &[
            r"\brm -rf (?:/|~|\$home|\*)",
            r"\b(?:drop|truncate) (?:database|table)s?\b",
            r"\bgit push [^\n]{0,40}--(?:force|no-verify)\b",
            r"\b(?:delete|erase|wipe|destroy) (?:all|every|the entire|the whole)\b[^.\n]{0,30}\b(?:files?|data|repository|repo|database|history|memories|backups?|records)\b",
        ],
    ),
    signal(
        "disarming",
        0.3,
        &[
            "skip",
            "disabl",
            "bypass",
            "turn off",
            "switch off",
            "omit",
            "remove",
            "deactivat",
            "suppress",
            "verify",
            "strict_ssl",
            "rejectunauthorized",
            "_enabled",
            "_enforce",
            "_check",
            "--",
            "without",
            "no need",
            "not wait",
            "directly",
            "straight",
            "immediately",
            "right ",
        ],
        &[
            r"\b(?:skip|disable|bypass|turn off|switch off|omit|remove|deactivate|suppress)\b[^.\n]{0,30}\b(?:reviews?|tests?|canary|checks?|verification|validation|signatures?|alarms?|interlocks?|auth(?:entication)?|tls|ssl|certificates?|security|sandbox|safety|logging|audit|approval|scans?|contract)\b",
            r"\b(?:verify_ssl|ssl_verify|verify|strict_ssl|rejectunauthorized|\w{2,40}_(?:enabled|enforce|check|checks|verify)) ?[=:] ?(?:false|0|off|no)\b",
            r"--(?:no-verify|skip-tests|no-review|insecure|force|no-check|dangerously-[a-z-]+)\b",
            r"\b(?:without|no need for|not wait(?:ing)? for) (?:a |an |any |the |waiting for a? ?)?(?:second )?(?:code )?(?:reviews?|reviewers?|approval|confirmation|permission|tests?)\b",
            r"\b(?:merge|push|deploy|commit|ship)(?:ing|es|s)? (?:directly|straight|immediately|right) (?:to|into|on) ",
            r"\w*(?:bypass|skip|disable)\w* ?= ?(?:1|true|yes|on)\b",
        ],
    ),
    signal(
        "standing order",
        0.25,
        &[
            "always",
            "whenever",
            "every time",
            "each time",
            "before ",
            "after ",
            "in every",
            "in each",
            "in all",
            "as your first",
            "first of all",
            "you see this",
            "you read this",
            "you receive this",
            "you process this",
            "you parse this",
        ],
        &[
            r"\b(?:always|whenever|every time|each time|before (?:any|every|each)|after (?:any|every|each)|in (?:every|each|all) (?:session|conversation|reply|response|answer|future)|as your first (?:step|action)|first of all,? run)\b",
            r"\b(?:when|once|if|as soon as|after) you (?:see|read|receive|process|parse) this,? (?:please |immediately |first |you must )?(?:run|execute|call|invoke|delete|send|post|upload)\b",
        ],
    ),
    signal(
        "urgency",
        0.2,
        &[
            "urgent",
            "critical",
            "emergency",
            "mandatory",
            "official",
            "priority",
            "immediately",
            "precedence",
            "overrid",
        ],
        &[
            r"\b(?:this is (?:an )?(?:urgent|critical|emergency|mandatory|official)|highest priority|top priority|immediately and without|absolute priority|takes precedence over|overrides? (?:all|any|every))\b",
        ],
    ),
];

/// The triggers of all signals, and whose they are.
static TRIGGERS: LazyLock<(AhoCorasick, Vec<usize>)> = LazyLock::new(|| {
    let of = SIGNALS.iter().enumerate();
    let rows: Vec<(usize, &str)> = of
        .flat_map(|(index, signal)| signal.triggers.iter().map(move |word| (index, *word)))
        .collect();
    let words = AhoCorasick::builder()
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(rows.iter().map(|(_, word)| as_folded(word)))
        .expect("a few hundred short words fit");
    (words, rows.into_iter().map(|(index, _)| index).collect())
});

/// One for each signal; most are never needed.
static PATTERNS: LazyLock<Vec<OnceLock<Regex>>> =
    LazyLock::new(|| SIGNALS.iter().map(|_| OnceLock::new()).collect());

fn pattern(signal: usize) -> &'static Regex {
    PATTERNS[signal].get_or_init(|| {
        let any = as_folded(&SIGNALS[signal].patterns.join("|"));
        RegexBuilder::new(&any)
            .unicode(false)
            .build()
            .expect("the patterns of ours compile, a test says so")
    })
}

/// A folded text has Latin letters in the place of their twins, also where it is Russian.
fn as_folded(words: &str) -> String {
    words.chars().map(twin).collect()
}

/// The triggers of a folded text, found in one pass however its windows overlap.
pub(super) struct Triggers<'t> {
    text: &'t str,
    to_come: Peekable<FindOverlappingIter<'static, 't>>,
    /// Begin and signal of those that the last window held.
    held: VecDeque<(usize, usize)>,
}

impl<'t> Triggers<'t> {
    pub(super) fn of(text: &'t str) -> Triggers<'t> {
        let to_come = TRIGGERS.0.find_overlapping_iter(text).peekable();
        Triggers { text, to_come, held: VecDeque::new() }
    }

    /// The signals that a window gives; windows are asked for in their order.
    pub(super) fn met(&mut self, window: Range<usize>) -> BTreeSet<usize> {
        while let Some(hit) = self.to_come.next_if(|hit| hit.end() <= window.end) {
            self.held.push_back((hit.start(), TRIGGERS.1[hit.pattern().as_usize()]));
        }
        self.held.retain(|(start, _)| *start >= window.start);
        let mut asked = [false; SIGNALS.len()];
        self.held.iter().for_each(|(_, signal)| asked[*signal] = true);
        let asked = asked.iter().enumerate().filter(|(_, asked)| **asked).map(|(signal, _)| signal);
        let text = &self.text.as_bytes()[window];
        asked.filter(|signal| pattern(*signal).is_match(text)).collect()
    }
}
