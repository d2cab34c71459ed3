/**
 * Measures what a model server has to read over a task of twelve thinking turns, with the reasoning sent back and with the
 * same requests without it. A hybrid model (state space and attention) reads everything again where the prompt differs
 * from what it has read and written; other models read from the difference on.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import type { Bench } from "../bench";
import type { BenchRow } from "../bench-row";
import { type ChatRequestBody, chatRequests, commonStart, flattenRequest } from "../server/chat-requests";
import { newSession, runBenchPrompt, startProduct } from "../server/bench-product";

const turnCount = 12;
const budgetRatio = 0.5;

const thoughtOf = (turn: number): string =>
  Array.from({ length: 24 }, (_, index) => `Step ${turn}.${index}: the value comes from part ${index * turn}.`).join(
    " ",
  );

export async function thinking(bench: Bench): Promise<readonly BenchRow[]> {
  const model = await startScriptedModel();
  const home = bench.folder("home");
  const project = bench.folder("project");
  const lines = (file: number): string =>
    Array.from({ length: 20 }, (_, at) => `export const v${at} = ${at * file};\n`).join("");
  for (let file = 1; file <= turnCount; file += 1) writeFileSync(join(project, `part${file}.ts`), lines(file));
  try {
    const product = await startProduct(bench, { home, project, modelUrl: model.url });
    const calls = Array.from({ length: turnCount }, (_, index) => ({
      thinking: thoughtOf(index + 1),
      toolCalls: [{ name: "read", arguments: { path: `part${index + 1}.ts` } }],
    }));
    model.setScript({ turns: [...calls, { text: "All read." }] });
    const from = chatRequests(model.requests).length;
    await runBenchPrompt(product, await newSession(product, "full"), "Read all parts.");
    await product.end();
    const sent = chatRequests(model.requests)
      .slice(from)
      .map(({ body }) => body);
    if (sent.length !== turnCount + 1) throw new Error(`${sent.length} requests instead of ${turnCount + 1}`);
    return [readRow(sent, "hybrid"), readRow(sent, "plain")];
  } finally {
    await model.close();
  }
}

type ModelKind = "hybrid" | "plain";

const withoutThinking = (body: ChatRequestBody): ChatRequestBody => ({
  ...body,
  messages: body.messages.map((message) => ({ ...message, thinking: undefined })),
});

/** Tokens that the server reads, when it has the previous prompt and the answer that it wrote itself in memory. */
function readTokens(sent: readonly ChatRequestBody[], prompts: readonly string[], kind: ModelKind): number {
  let total = 0;
  for (const [index, prompt] of prompts.entries()) {
    const written = JSON.stringify(sent[index]?.messages[sent[index - 1]?.messages.length ?? 0]);
    const memory = index === 0 ? "" : `${prompts[index - 1]}${written}\n`;
    const shared = commonStart(memory, prompt);
    const start = kind === "plain" || shared === memory.length ? shared : 0;
    total += countTokens(prompt.slice(start));
  }
  return total;
}

function readRow(sent: readonly ChatRequestBody[], kind: ModelKind): BenchRow {
  const sentBack = readTokens(sent, sent.map(flattenRequest), kind);
  const dropped = readTokens(
    sent,
    sent.map((body) => flattenRequest(withoutThinking(body))),
    kind,
  );
  return {
    id: `thinking-${kind}`,
    what: `tokens that a ${kind} model reads over ${turnCount} thinking turns`,
    measured: `${sentBack}, ${(sentBack / dropped).toFixed(2)} ×`,
    yardstick: `the same requests without reasoning ${dropped}`,
    // A model without checkpoints to go back to gains the most; any other one must not lose.
    budget: kind === "hybrid" ? `≤ ${budgetRatio} ×` : "≤ 1 ×",
    met: sentBack <= dropped * (kind === "hybrid" ? budgetRatio : 1),
    figures: { sentBackTokens: sentBack, droppedTokens: dropped },
  };
}
