/**
 * Measures what a model server has to read: tokens of the first request, and the share of each request that repeats
 * the previous one.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import { type Bench } from "../bench";
import { newSession, runBenchPrompt, startProduct } from "../server/bench-product";
import {
  type ChatRequestBody,
  chatRequests,
  commonStart,
  flattenRequest,
  lastChatRequest,
  requestPrefix,
  systemPrompt,
} from "../server/chat-requests";
import type { BenchRow } from "../bench-row";

const bestPeerTokens = 1_193;
const budgetTokens = 1_150;

const toolCallTurn = (name: string, input: unknown) => ({ toolCalls: [{ name, arguments: input }] });
const sixTurns = [
  toolCallTurn("read", { path: "main.ts" }),
  toolCallTurn("bash", { command: "echo one" }),
  toolCallTurn("edit", { path: "main.ts", old_string: "1", new_string: "2" }),
  toolCallTurn("grep", { pattern: "answer" }),
  toolCallTurn("write", { path: "more.ts", content: "export const more = 2;\n" }),
  toolCallTurn("bash", { command: "ls" }),
  { text: "All done." },
];

export async function prompt(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  const home = bench.folder("home");
  const project = bench.folder("project");
  writeFileSync(join(project, "main.ts"), "export const answer = 1;\n");
  writeFileSync(join(project, "README.md"), "# A small project\n");
  try {
    const first = await startProduct(bench, { home, project, modelUrl: model.url });
    await runBenchPrompt(first, await newSession(first), "hi");
    const hi = lastChatRequest(model.requests).body;
    model.setScript({ turns: sixTurns });
    const from = chatRequests(model.requests).length;
    const session = await newSession(first, "full");
    await runBenchPrompt(first, session, "Change the answer.");
    const turns = chatRequests(model.requests)
      .slice(from)
      .map(({ body }) => body);
    await first.end();
    writeFileSync(join(project, "later.ts"), "// made between two starts\n");
    const second = await startProduct(bench, { home, project, modelUrl: model.url });
    await runBenchPrompt(second, session, "And now?");
    const afterRestart = lastChatRequest(model.requests).body;
    await runBenchPrompt(second, await newSession(second), "Something else.");
    const other = lastChatRequest(model.requests).body;
    await second.end();
    return [tokenRow(hi), ...prefixRows(turns, afterRestart, other)];
  } finally {
    await model.close();
  }
}

function tokenRow(body: ChatRequestBody): BenchRow {
  const system = countTokens(systemPrompt(body));
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

function prefixRows(
  turns: readonly ChatRequestBody[],
  afterRestart: ChatRequestBody,
  other: ChatRequestBody,
): readonly BenchRow[] {
  const shares = turns.slice(1).map((body, index) => repeatedShare(turns[index], body));
  const row = (id: string, label: string, share: number, budget: string, figures: BenchRow["figures"]): BenchRow => ({
    id,
    what: `previous request kept as a prefix: ${label}`,
    measured: `${(share * 100).toFixed(1)} %`,
    yardstick: "all bytes of the previous request",
    budget,
    met: share === 1,
    figures: { share, ...figures },
  });
  const last = turns.at(-1);
  const start = requestPrefix(other);
  return [
    row("prefix-turns", `${shares.length} tool turns`, Math.min(...shares), "100 %", { requests: turns.length }),
    row("prefix-restart", "across a restart", repeatedShare(last, afterRestart), "100 %", {
      bytes: byteLength(flattenRequest(afterRestart)),
    }),
    row(
      "prefix-new",
      "a new session, system and tools",
      commonStart(start, requestPrefix(afterRestart)) / start.length,
      "100 %",
      {
        bytes: byteLength(start),
        shareOfWhole: repeatedShare(turns[0], other),
      },
    ),
  ];
}

const byteLength = (text: string): number => Buffer.byteLength(text);

/** Returns the share of the earlier request that the later one starts with. */
function repeatedShare(earlier: ChatRequestBody | undefined, later: ChatRequestBody): number {
  const before = earlier === undefined ? "" : flattenRequest(earlier);
  return before === "" ? Number.NaN : commonStart(before, flattenRequest(later)) / before.length;
}
