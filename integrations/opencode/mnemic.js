// mnemic for OpenCode: hands over what happens in a session and takes in what is remembered.
// `mnemic install --for opencode` puts this file into OpenCode's directory of plugins.

import { spawn } from "node:child_process";

const MNEMIC = "mnemic";

// mnemic ends by itself long before this; it is for a machine that hangs.
const PATIENCE_MS = 3000;

// Resolves to the text for the agent, or to nothing: no failure of mnemic is one of OpenCode.
function hook(event, message) {
  return new Promise((resolve) => {
    let said = "";
    let child;
    try {
      child = spawn(MNEMIC, ["hook", event, "--host", "opencode"], {
        cwd: message.directory,
        stdio: ["pipe", "pipe", "ignore"],
      });
    } catch {
      return resolve(undefined);
    }
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    child.on("error", () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    child.on("close", () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(said).context);
      } catch {
        resolve(undefined);
      }
    });
    child.stdin.on("error", () => {});
    child.stdout.on("data", (piece) => (said += piece));
    child.stdin.end(JSON.stringify(message));
  });
}

const wordsOf = (parts) =>
  (parts ?? [])
    .filter((part) => part.type === "text" && !part.synthetic)
    .map((part) => part.text)
    .join("\n");

export const Mnemic = async ({ client, directory }) => {
  // What stands beside each conversation, and the arguments of tool calls that are under way.
  const contexts = new Map();
  const calls = new Map();

  const tell = (event, session, rest) =>
    hook(event, { session_id: session, directory, ...rest });

  const add = (session, text) => {
    if (text) contexts.set(session, [...(contexts.get(session) ?? []), text]);
  };

  const lastAnswer = async (session) => {
    try {
      const answer = await client.session.messages({ path: { id: session } });
      const messages = (answer?.data ?? []).filter((one) => one.info?.role === "assistant");
      return wordsOf(messages.at(-1)?.parts);
    } catch {
      return "";
    }
  };

  return {
    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id;
      if (!session) return;
      if (event.type === "session.created") {
        add(session, await tell("session-start", session));
      } else if (event.type === "session.compacted") {
        contexts.delete(session);
        add(session, await tell("compacted", session));
      } else if (event.type === "session.idle") {
        await tell("idle", session, { text: await lastAnswer(session) });
      } else if (event.type === "session.deleted") {
        contexts.delete(session);
        await tell("session-end", session);
      }
    },
    "chat.message": async (input, output) => {
      add(input.sessionID, await tell("prompt", input.sessionID, { text: wordsOf(output.parts) }));
    },
    "tool.execute.before": async (input, output) => {
      calls.set(input.callID, output.args);
    },
    "tool.execute.after": async (input, output) => {
      const args = calls.get(input.callID) ?? input.args;
      calls.delete(input.callID);
      const failed = output.metadata?.exit !== undefined && output.metadata.exit !== 0;
      const text = await tell("tool", input.sessionID, {
        tool_name: input.tool,
        tool_input: args,
        ...(failed ? { error: String(output.output ?? "") } : {}),
      });
      if (text) output.output = `${output.output}\n\n${text}`;
    },
    "experimental.chat.system.transform": async (input, output) => {
      // Hosts that do not say which conversation it is have just one.
      const session = input?.sessionID ?? [...contexts.keys()].at(-1);
      output.system.push(...(contexts.get(session) ?? []));
    },
    "experimental.session.compacting": async (input) => {
      await tell("compacting", input.sessionID);
    },
  };
};
