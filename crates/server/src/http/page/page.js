// Shows the document of this server and tries its operations. No library, nothing from elsewhere.
"use strict";

const make = (tag, fields = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), fields);
  element.append(...children);
  return element;
};

// Text in which `words` between backticks are code.
const told = (text) => text.split("`").map((part, nth) => (nth % 2 ? make("code", { textContent: part }) : part));

let api;
const named = (schema) => (schema && schema.$ref
  ? api.components.schemas[schema.$ref.split("/").pop()] : schema);

// A small example of what a schema allows, as a start to type over.
function example(schema, depth = 0) {
  schema = named(schema) || {};
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  const choice = schema.oneOf || schema.anyOf;
  if (choice) return example(choice.find((one) => named(one).type !== "null") || choice[0], depth);
  if (schema.enum) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "array") return [];
  if (type === "number" || type === "integer") return schema.minimum || 0;
  if (type === "boolean") return false;
  if (type === "string") return schema.format === "date-time" ? new Date().toISOString() : "text";
  const fields = {};
  if (depth < 3) {
    for (const name of schema.required || []) {
      fields[name] = example((schema.properties || {})[name], depth + 1);
    }
  }
  return fields;
}

function field(parameter) {
  const input = make("input", { type: "text", placeholder: parameter.required ? "needed" : "" });
  input.setAttribute("aria-label", parameter.name);
  const row = make("div", { className: "field" },
    make("label", { textContent: `${parameter.name} (${parameter.in})` }), input,
    make("small", {}, ...told(parameter.description || "")));
  return { parameter, input, row };
}

async function send(path, method, fields, body, media, out) {
  const query = new URLSearchParams();
  const headers = {};
  let address = path;
  for (const { parameter, input } of fields) {
    if (input.value === "") continue;
    if (parameter.in === "path") {
      address = address.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
    } else if (parameter.in === "query") query.set(parameter.name, input.value);
    else headers[parameter.name] = input.value;
  }
  const token = document.getElementById("token").value.trim();
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = media;
  const asked = query.toString();
  out.textContent = "…";
  try {
    const options = { method: method.toUpperCase(), headers, body: body ? body.value : undefined };
    const answer = await fetch(asked ? `${address}?${asked}` : address, options);
    const text = await answer.text();
    let shown = text;
    try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch { /* not JSON */ }
    const tag = answer.headers.get("etag");
    out.textContent = `${answer.status} ${answer.statusText}${tag ? `\nETag: ${tag}` : ""}\n\n${shown}`;
  } catch (error) {
    out.textContent = String(error);
  }
}

function operation(path, method, about) {
  const inside = make("div", { className: "inside" });
  const box = make("details", {},
    make("summary", {},
      make("span", { className: `method ${method}`, textContent: method.toUpperCase() }),
      make("code", { textContent: path }), ` ${about.summary || ""}`),
    inside);
  box.dataset.words = `${path} ${method} ${about.summary} ${about.description || ""}`.toLowerCase();
  box.addEventListener("toggle", () => {
    if (box.open && !inside.hasChildNodes()) fill(inside, path, method, about);
  });
  return box;
}

function fill(inside, path, method, about) {
  if (about.description) inside.append(make("p", {}, ...told(about.description)));
  const fields = (about.parameters || []).map(field);
  inside.append(...fields.map((one) => one.row));
  let body;
  let media;
  if (about.requestBody) {
    [media] = Object.keys(about.requestBody.content);
    const { schema } = about.requestBody.content[media];
    body = make("textarea", { value: JSON.stringify(example(schema), null, 2), spellcheck: false });
    body.setAttribute("aria-label", "body");
    inside.append(make("p", { textContent: media }), body);
  }
  const out = make("pre");
  const button = make("button", { type: "button", textContent: "Send" });
  button.addEventListener("click", () => send(path, method, fields, body, media, out));
  inside.append(button, out);
}

async function show() {
  api = await (await fetch("/v1/openapi.json")).json();
  document.getElementById("about").replaceChildren(...told(api.info.description));
  const groups = new Map(api.tags.map(({ name, description }) => [name, { description, boxes: [] }]));
  for (const [path, item] of Object.entries(api.paths)) {
    for (const [method, about] of Object.entries(item)) {
      groups.get(about.tags[0]).boxes.push(operation(path, method, about));
    }
  }
  const sections = [...groups].map(([tag, { description, boxes }]) => make("section", {},
    make("h2", {}, tag, make("small", { textContent: description })), ...boxes));
  document.getElementById("operations").replaceChildren(...sections);
}

document.getElementById("find").addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase();
  for (const box of document.querySelectorAll("details")) {
    box.hidden = !box.dataset.words.includes(words);
  }
  for (const section of document.querySelectorAll("section")) {
    section.hidden = !section.querySelector("details:not([hidden])");
  }
});

show().catch((error) => {
  document.getElementById("operations").textContent = String(error);
});
