/** A scripted model that works for hundreds of steps over real files, and the checks of every request it gets. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@/lib/events/content";
import type { DurableEvent } from "@/lib/events/event";
import { countTokens } from "@/server/agent/context/prompt-size";
import type { ModelMessage, ModelRequest } from "@/server/providers/provider";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { compactionText } from "@/server/prompts/compaction";
import { type ScriptedAnswer, callAnswer, textAnswer } from "./test-harness";

export const task =
  "Move the price rules of shop.txt into rules/, one file a rule, keep every old name working, and write a test for each.";
export const laterRequest = "From now on also note each moved rule in CHANGES.txt, newest first.";
const checklist = (done: number): string =>
  ["read all rules", "move the discount rule", "move the tax rule", "write the tests", "update CHANGES"]
    .map((item, index) => `- [${index < done ? "x" : " "}] ${item}`)
    .join("\n");

/** Creates files of many sizes, the largest far over an eighth of any window here. */
export function makeProject(root: string): void {
  mkdirSync(join(root, "rules"));
  for (let index = 0; index < 12; index += 1) {
    const lines = Array.from(
      { length: 4 + index ** 3 },
      (_, line) => `rule ${index}.${line}: price = base * ${line} + tax(${index});`,
    );
    writeFileSync(join(root, `part-${index}.txt`), lines.join("\n"));
  }
}

export const isSummaryRequest = ({ messages }: ModelRequest): boolean => {
  const last = messages.at(-1);
  return last?.role === "user" && last.text.startsWith(compactionText("ask").slice(0, 60));
};

/** Calls the model has made so far: the test's own record, against which requests are judged. */
export class LongRun {
  readonly changed = new Set<string>();
  step = 0;
  summaries = 0;
  todo = 0;
  /** File that counts as changed with the next result. */
  #pending: string | null = null;

  constructor(
    private readonly steps: number,
    private readonly atStep: (step: number) => void = () => {},
    /** Each step reads as much as possible. */
    private readonly greedy = false,
  ) {}

  answer(request: ModelRequest): ScriptedAnswer {
    if (isSummaryRequest(request)) return this.#summary();
    if (this.#pending !== null) this.changed.add(this.#pending);
    this.#pending = null;
    this.step += 1;
    this.atStep(this.step);
    if (this.step > this.steps) return textAnswer("All rules are moved.");
    return this.#next(this.step);
  }

  /** Returns a summary, and every now and then something that is not one. */
  #summary(): ScriptedAnswer {
    this.summaries += 1;
    if (this.summaries % 5 === 3) return callAnswer(["ls", {}]);
    if (this.summaries % 5 === 4) return textAnswer("  ");
    return textAnswer(
      `1. Task state: ${this.step} steps done.\n2. Done: see the files.\n3. Key findings: ${"tax() is in part-7. ".repeat(30)}`,
    );
  }

  #next(step: number): ScriptedAnswer {
    const file = `part-${(step * 5) % 12}.txt`;
    const rule = `rules/rule-${step % 9}.txt`;
    if (step % 40 === 5) {
      this.todo = Math.min(4, Math.floor(step / 40));
      return [
        { type: "text", text: `The plan:\n${checklist(this.todo)}` },
        ...callAnswer(["ls", { depth: 1 + (step % 3) }]),
      ];
    }
    if (this.greedy) return this.#greedy(step);
    const kinds: readonly (() => ScriptedAnswer)[] = [
      () => callAnswer(["read", { path: file, offset: 1 + (step % 50) }]),
      () => callAnswer(["grep", { pattern: `rule ${step % 12}\\.${step % 7}` }]),
      () =>
        this.#change(rule, [
          "write",
          { path: rule, content: `// ${step}\n${"moved = true;\n".repeat(1 + (step % 6))}` },
        ]),
      () => callAnswer(["bash", { command: `seq ${step} ${step + 40}` }]),
      () =>
        callAnswer(
          ["read", { path: file, limit: 20 }],
          ["read", { path: `part-${step % 12}.txt`, offset: step }],
          ["ls", {}],
        ),
      () => callAnswer(["find", { pattern: `**/*${step % 10}.txt` }]),
    ];
    return kinds[step % kinds.length]?.() ?? textAnswer("");
  }

  #greedy(step: number): ScriptedAnswer {
    const large = (index: number) =>
      ["read", { path: `part-${9 + (index % 3)}.txt`, offset: step * 3 + index }] as const;
    if (step % 4 === 1) return callAnswer(large(0), large(1), large(2));
    if (step % 4 === 2) {
      const path = `rules/large-${step % 5}.txt`;
      return this.#change(path, [
        "write",
        { path, content: `// ${step}\n${"const moved = price(base) * tax;\n".repeat(90)}` },
      ]);
    }
    return callAnswer(large(step));
  }

  #change(path: string, call: readonly [string, Json]): ScriptedAnswer {
    this.#pending = path;
    return callAnswer(call);
  }

  get openItems(): readonly string[] {
    return this.step < 5
      ? []
      : checklist(this.todo)
          .split("\n")
          .filter((line) => line.includes("[ ]"));
  }
}

/** Tokens of a request by our estimate. */
export const requestTokens = ({ messages, tools }: ModelRequest): number =>
  countTokens(messages) + (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools)));

/** Descriptions of calls without results and results without calls. */
export function brokenPairs(messages: readonly ModelMessage[]): readonly string[] {
  const wrong: string[] = [];
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.includes(message.callId)) wrong.push(`result of ${message.callId} without its call`);
      open = open.filter((id) => id !== message.callId);
      continue;
    }
    if (open.length > 0) wrong.push(`calls without results: ${open.join(", ")}`);
    open = message.role === "assistant" ? (message.calls ?? []).map((call) => call.callId) : [];
  }
  if (open.length > 0) wrong.push(`calls without results at the end: ${open.join(", ")}`);
  return wrong;
}

/** Steps between two compactions, and the largest message with its results between them; tokens. */
export function compactionGaps(
  rows: readonly { readonly event: DurableEvent }[],
): readonly { readonly steps: number; readonly largest: number }[] {
  const gaps: { steps: number; largest: number }[] = [];
  let open: { steps: number; largest: number } | null = null;
  let unit = 0;
  for (const { event } of rows) {
    if (event.type === "message_end" && event.usage !== undefined) {
      if (open !== null) open = { steps: open.steps + 1, largest: Math.max(open.largest, unit) };
      unit = estimateTokens(JSON.stringify(event.blocks));
    }
    if (event.type === "tool_call_end") unit += estimateTokens(JSON.stringify(event.output));
    if (event.type === "compaction_start" && open !== null)
      gaps.push({ steps: open.steps, largest: Math.max(open.largest, unit) });
    if (event.type === "compaction_end") {
      open = { steps: 0, largest: 0 };
      unit = 0;
    }
  }
  return gaps;
}
