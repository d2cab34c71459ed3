// An MCP server whose tool needs a step of the user at an address. The files beside its first argument are the user's
// steps there: `.done` = finished, `.told` = the server reports that. Plain JSON lines, no package.
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";

const [place = "", url = "https://consent.example/start?user=1"] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const elicitations = [{ mode: "url", elicitationId: "consent-1", url, message: "Allow access to the calendar." }];
const answers = {
  initialize: ({ protocolVersion }) => ({
    result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "address", version: "1" } },
  }),
  "tools/list": () => ({ result: { tools: [{ name: "read_calendar", inputSchema: { type: "object" } }] } }),
  "tools/call": () =>
    existsSync(`${place}.done`)
      ? { result: { content: [{ type: "text", text: "Lunch at noon." }] } }
      : { error: { code: -32042, message: "The calendar is not connected.", data: { elicitations } } },
};

// `watchFile` would begin with the file that it finds some time later.
const wait = setInterval(() => {
  if (!existsSync(`${place}.told`)) return;
  clearInterval(wait);
  send({ method: "notifications/elicitation/complete", params: { elicitationId: "consent-1" } });
}, 20);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined && answers[method] !== undefined) send({ id, ...answers[method](params ?? {}) });
});
process.stdin.on("end", () => process.exit(0));
