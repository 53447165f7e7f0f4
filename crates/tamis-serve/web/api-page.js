// The page to try the API: one request at a time, its answer as text.
import { byId as field, wireTheme } from "./dom.js";

const TOKEN = "tamis-token";
const routes = new Map();

wireTheme(field("theme"));
field("token").value = sessionStorage.getItem(TOKEN) ?? "";
field("body").value = "<h1>Rain at last</h1><p>It rained in the harbour on Monday, for the first time since the spring.</p>";

const api = await (await fetch("/openapi.json")).json();
for (const [path, methods] of Object.entries(api.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    const name = `${method.toUpperCase()} ${path}`;
    routes.set(name, { method: method.toUpperCase(), path, operation });
    field("route").append(new Option(name, name, false, name === "POST /v1/extract"));
  }
}

const chosen = () => routes.get(field("route").value);
const show = () => {
  const { operation, path } = chosen();
  field("path").value = path;
  field("about").textContent = [operation.summary, operation.description].filter(Boolean).join(" ");
  const types = Object.keys(operation.requestBody?.content ?? {});
  field("body").disabled = types.length === 0;
  field("type").disabled = types.length === 0;
  if (types.length && !types.includes(field("type").value)) field("type").value = types[0];
};
field("route").addEventListener("change", show);
show();

field("try").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { method } = chosen();
  const path = field("path").value;
  const token = field("token").value;
  sessionStorage.setItem(TOKEN, token);
  const headers = { Accept: field("accept").value };
  if (token) headers.Authorization = `Bearer ${token}`;
  const body = field("body").disabled ? undefined : field("body").value;
  if (body !== undefined) headers["Content-Type"] = field("type").value;
  const query = field("query").value.replace(/^\?/, "");
  field("status").textContent = "…";
  try {
    const answer = await fetch(query ? `${path}?${query}` : path, { method, headers, body });
    const text = await answer.text();
    field("answer").hidden = false;
    field("status").textContent = `${answer.status} ${answer.headers.get("content-type") ?? ""}`;
    try {
      field("answer").textContent = JSON.stringify(JSON.parse(text), null, 1);
    } catch {
      field("answer").textContent = text;
    }
  } catch (error) {
    field("status").textContent = String(error);
  }
});
