// An MCP server whose tools are in a JSON file, named by its first argument. Plain JSON lines, no package.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [file = ""] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/** By address. */
const resources = {
  "list://one": [{ text: "one" }],
  "list://dot": [{ mimeType: "image/png", blob: dot }],
  "list://drawing": [{ mimeType: "image/svg+xml", blob: btoa("<svg/>") }],
  "list://photo": [{ mimeType: "image/png", blob: "iVBO".repeat(1_700_000) }],
  "list://both": [{ text: "a dot" }, { mimeType: "image/png", blob: dot }],
  "list://paper": [{ mimeType: "application/pdf", blob: btoa("%PDF-1.7") }],
};
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: {} },
    serverInfo: { name: "list", version: "1" },
    instructions: "Use these tools with care.",
  }),
  "tools/list": () => ({ tools: JSON.parse(readFileSync(file, "utf8")) }),
  // Without the file the list is refused.
  "prompts/list": () => ({ prompts: JSON.parse(readFileSync(`${file}.prompts`, "utf8")) }),
  "prompts/get": () => {
    throw new Error("there is no such prompt");
  },
  "resources/list": () => ({ resources: ["one", "dot"].map((name) => ({ uri: `list://${name}`, name })) }),
  "resources/read": ({ uri }) => ({ contents: resources[uri].map((content) => ({ uri, ...content })) }),
  "tools/call": ({ name, arguments: input }) => ({
    content: [
      // Two pieces of a file that is read.
      ...(name === "record" ? [{ type: "audio", mimeType: "audio/wav", data: btoa("sound".repeat(400_000)) }] : []),
      { type: "text", text: `${name} ${JSON.stringify(input)} ${process.env.LIST_TOKEN ?? ""}`.trim() },
    ],
  }),
};

const readText = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
};

/** Reports changes since now: `watchFile` would begin with the file that it finds some time later. */
function watchText(path, method) {
  let text = readText(path);
  setInterval(() => {
    const next = readText(path);
    if (next === text) return;
    text = next;
    send({ method });
  }, 20);
}

process.stderr.write(`started with ${process.env.LIST_TOKEN ?? "no token"} in ${process.cwd()}\n`);
watchText(file, "notifications/tools/list_changed");
watchText(`${file}.prompts`, "notifications/prompts/list_changed");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || answers[method] === undefined) return;
  try {
    send({ id, result: answers[method](params ?? {}) });
  } catch (error) {
    send({ id, error: { code: -32603, message: String(error) } });
  }
});
process.stdin.on("end", () => process.exit(0));
