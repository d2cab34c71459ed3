/**
 * Measures what a model server has to read: tokens of the first request, and the share of each request that repeats
 * the previous one.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { startScriptedModel } from "../fixtures/scripted-model.mjs";
import { type Bench } from "./bench";
import { newSession, runPrompt, startProduct } from "./product";
import { type ChatBody, chatsOf, lastChat } from "./chats";
import type { Row } from "./row";

const bestPeerTokens = 1_193;
const budgetTokens = 1_150;

const call = (name: string, input: unknown) => ({ toolCalls: [{ name, arguments: input }] });
const sixTurns = [
  call("read", { path: "main.ts" }),
  call("bash", { command: "echo one" }),
  call("edit", { path: "main.ts", old_string: "1", new_string: "2" }),
  call("grep", { pattern: "answer" }),
  call("write", { path: "more.ts", content: "export const more = 2;\n" }),
  call("bash", { command: "ls" }),
  { text: "All done." },
];

export async function prompt(bench: Bench): Promise<readonly Row[]> {
  const model = await startScriptedModel();
  const home = bench.folder("home");
  const project = bench.folder("project");
  writeFileSync(join(project, "main.ts"), "export const answer = 1;\n");
  writeFileSync(join(project, "README.md"), "# A small project\n");
  try {
    const first = await startProduct(bench, { home, project, modelUrl: model.url });
    await runPrompt(first, await newSession(first), "hi");
    const hi = lastChat(model.requests).body;
    model.setScript({ turns: sixTurns });
    const from = chatsOf(model.requests).length;
    const session = await newSession(first, "full");
    await runPrompt(first, session, "Change the answer.");
    const turns = chatsOf(model.requests)
      .slice(from)
      .map(({ body }) => body);
    await first.end();
    writeFileSync(join(project, "later.ts"), "// made between two starts\n");
    const second = await startProduct(bench, { home, project, modelUrl: model.url });
    await runPrompt(second, session, "And now?");
    const afterRestart = lastChat(model.requests).body;
    await runPrompt(second, await newSession(second), "Something else.");
    const other = lastChat(model.requests).body;
    await second.end();
    return [tokenRow(hi), ...prefixRows(turns, afterRestart, other)];
  } finally {
    await model.close();
  }
}

function tokenRow(body: ChatBody): Row {
  const system = countTokens(systemOf(body));
  const tools = countTokens(JSON.stringify(body.tools ?? []));
  const total = system + tools;
  return {
    id: "prompt-tokens",
    what: 'tokens of the first request for "hi": system and tools (o200k)',
    measured: `${total} (${system} system, ${body.tools?.length ?? 0} tools ${tools})`,
    yardstick: `pi ${bestPeerTokens} (4 tools)`,
    budget: `≤ ${budgetTokens}`,
    met: total <= budgetTokens,
    figures: { systemTokens: system, toolTokens: tools, totalTokens: total, tools: body.tools?.length ?? 0 },
  };
}

function prefixRows(turns: readonly ChatBody[], afterRestart: ChatBody, other: ChatBody): readonly Row[] {
  const kept = turns.slice(1).map((body, index) => keptOf(turns[index], body));
  const row = (id: string, what: string, share: number, budget: string, figures: Row["figures"]): Row => ({
    id,
    what: `previous request kept as a prefix: ${what}`,
    measured: `${(share * 100).toFixed(1)} %`,
    yardstick: "all bytes of the previous request",
    budget,
    met: share === 1,
    figures: { share, ...figures },
  });
  const last = turns.at(-1);
  const start = startOf(other);
  return [
    row("prefix-turns", `${kept.length} tool turns`, Math.min(...kept), "100 %", { requests: turns.length }),
    row("prefix-restart", "across a restart", keptOf(last, afterRestart), "100 %", {
      bytes: bytes(flat(afterRestart)),
    }),
    row(
      "prefix-new",
      "a new session, system and tools",
      commonStart(start, startOf(afterRestart)) / start.length,
      "100 %",
      {
        bytes: bytes(start),
        shareOfWhole: keptOf(turns[0], other),
      },
    ),
  ];
}

/** A request in the order of chat templates: system, tools, then the conversation. */
const startOf = (body: ChatBody): string => `${body.model}\n${systemOf(body)}\n${JSON.stringify(body.tools ?? [])}\n`;
const flat = (body: ChatBody): string =>
  startOf(body) +
  body.messages
    .slice(1)
    .map((message) => `${JSON.stringify(message)}\n`)
    .join("");
const systemOf = (body: ChatBody): string => (body.messages[0]?.role === "system" ? body.messages[0].content : "");
const bytes = (text: string): number => Buffer.byteLength(text);

/** Returns the share of the earlier request that the later one starts with. */
function keptOf(earlier: ChatBody | undefined, later: ChatBody): number {
  const before = earlier === undefined ? "" : flat(earlier);
  return before === "" ? Number.NaN : commonStart(before, flat(later)) / before.length;
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
