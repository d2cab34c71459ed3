// An MCP server that says its API_TOKEN in everything it answers. Plain JSON lines, no package.
import { createInterface } from "node:readline";

const secret = process.env.API_TOKEN ?? "";
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const description = `Uses ${secret}.`;
const link = { type: "resource_link", uri: `x://${secret}`, name: `a ${secret}` };
const resource = { type: "resource", resource: { uri: `x://${secret}`, text: `in ${secret}` } };
/** Tools by name. */
const results = {
  text: { content: [{ type: "text", text: `say ${secret}, ${secret.slice(0, 4)}\u001b[31m${secret.slice(4)}` }] },
  structured: { structuredContent: { environment: { API_TOKEN: secret } } },
  parts: { content: [link, resource] },
  failed: { isError: true, content: [{ type: "text", text: `refused ${secret}` }] },
};
const question = {
  message: `Is it ${secret}?`,
  requestedSchema: { type: "object", properties: { sure: { type: "boolean", title: `Sure of ${secret}` } } },
};
const elicitations = [{ mode: "url", elicitationId: "1", url: "https://x.example/", message: `Open with ${secret}` }];
const answers = {
  initialize: ({ protocolVersion }) => ({
    result: {
      protocolVersion,
      capabilities: { tools: {}, prompts: {}, resources: {} },
      serverInfo: { name: "indiscreet", version: "1" },
      instructions: `The token is ${secret}.`,
    },
  }),
  "tools/list": () => ({
    result: {
      tools: Object.keys(results).map((name) => ({
        name,
        description,
        inputSchema: { type: "object", properties: { token: { type: "string", description } } },
      })),
    },
  }),
  "prompts/list": () => ({ result: { prompts: [{ name: "ask", description }] } }),
  "prompts/get": () => ({
    result: { messages: [{ role: "user", content: { type: "text", text: `with ${secret}` } }] },
  }),
  "resources/list": () => ({ result: { resources: [{ uri: "x://a", name: "a", description }] } }),
  "resources/read": ({ uri }) => ({ result: { contents: [{ uri, text: `read ${secret}` }] } }),
  "tools/call": ({ name }) =>
    name === "address"
      ? { error: { code: -32042, message: `Needs ${secret}`, data: { elicitations } } }
      : { result: results[name] },
};

let pending = null;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params = {}, result } = JSON.parse(line);
  if (id === "question") {
    send({ id: pending, result: { content: [{ type: "text", text: result.action }] } });
  } else if (method === "tools/call" && params.name === "question") {
    pending = id;
    send({ id: "question", method: "elicitation/create", params: question });
  } else if (id !== undefined && answers[method] !== undefined) send({ id, ...answers[method](params) });
});
process.stdin.on("end", () => process.exit(0));
