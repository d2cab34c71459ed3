/**
 * Random sessions while the memory is written by the model, the user and other programs: every request begins with the
 * one before it unless the context was compacted between them, a session is given the memory once within its share, and
 * what it was given stays.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { pathEntries } from "@/lib/view/view";
import type { ModelRequest } from "@/server/providers/provider";
import type { Session } from "@/server/session/core/session-types";
import { callAnswer, testCommandId, textAnswer } from "@/server/session/testing/test-harness";
import { join } from "node:path";
import { lawRuns } from "@/lib/testing/law-runs";
import { temporaryHome } from "@/server/store/__fixtures__/home";
import { useChildProgram } from "@/server/store/__fixtures__/start-child";
import { makeMemoryFiles } from "./memory-files";
import { isSummaryRequest } from "@/server/session/testing/test-long-run";
import { memoryShare } from "./start-text";
import { makeTestMemory, topicTexts } from "./test-memory";

type Step =
  | { readonly kind: "file"; readonly name: string; readonly lines: number }
  | { readonly kind: "prompt" | "remember" | "recall" | "compact" | "restart" | "session" };

const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("file" as const),
    name: fc.constantFrom("USER.md", "SOUL.md", "MEMORY.md", "2026-11-24.md", "2026-11-25.md"),
    lines: fc.nat({ max: 60 }),
  }),
  fc.record({ kind: fc.constantFrom("prompt", "remember", "recall", "compact", "restart", "session") }),
);

const wire = ({ tools, messages }: ModelRequest): string => JSON.stringify([tools, messages]).slice(0, -2);
const topics = ["owner", "memory"] as const;

/** Blocks of the memory in the messages of a session. */
const countBlocks = ({ view }: Session): number =>
  pathEntries(view)
    .flatMap((entry) => (entry.kind === "message" ? entry.blocks : []))
    .filter((block) => block.type === "context" && topics.some((topic) => topic === block.topic)).length;

const countCompactions = ({ view }: Session): number =>
  pathEntries(view).filter(({ kind }) => kind === "compaction").length;

test("requests keep their prefix, and the memory is given once within its share", async () => {
  const window = fc.constantFrom(4_096, 8_192, 16_384, 32_768);
  await fc.assert(
    fc.asyncProperty(window, fc.array(arbitraryStep, { minLength: 4, maxLength: 14 }), async (numCtx, steps) => {
      const rig = await makeTestMemory({ numCtx });
      const { harness } = rig;
      let session = rig.session("full");
      let seen = 0;
      const check = (): void => {
        const own = harness.requests.slice(seen).filter((request) => !isSummaryRequest(request));
        const [first] = own;
        if (first === undefined) return;
        const texts = topics.map((topic) => topicTexts(first, topic));
        const tokens = texts.flat().reduce((sum, text) => sum + estimateTokens(text), 0);
        for (const own of texts) expect(own.length).toBeLessThanOrEqual(1);
        expect(tokens).toBeLessThanOrEqual(memoryShare(numCtx));
        let breaks = 0;
        for (const [index, request] of own.entries()) {
          const before = own[index - 1];
          if (before !== undefined && !wire(request).startsWith(wire(before))) breaks += 1;
          expect(topics.map((topic) => topicTexts(request, topic))).toEqual(texts);
        }
        expect(breaks).toBeLessThanOrEqual(countCompactions(session));
        expect(countBlocks(session)).toBeLessThanOrEqual(topics.length);
      };
      for (const step of steps) {
        if (step.kind === "file")
          rig.write(
            step.name,
            Array.from({ length: step.lines }, (_, at) => `- note ${at} of ${step.name}\n`).join(""),
          );
        else if (step.kind === "session") {
          check();
          seen = harness.requests.length;
          session = rig.session("full");
        } else if (step.kind === "restart") {
          await harness.restart();
          harness.registry().recoverAll();
          await rig.close();
          rig.restart();
          session = rig.follow(harness.reload(session));
          // Full access returns to Ask.
          session.update({ mode: "full" }, testCommandId());
        } else if (step.kind === "compact") {
          harness.replaceScript(textAnswer("A summary."), textAnswer("A summary."));
          const started = session.compact(undefined, testCommandId());
          if (started.ok) await started.value.done;
        } else {
          const text = `fact ${harness.requests.length}`;
          const calls = {
            prompt: null,
            remember: callAnswer(["toolbox", { tool: "remember", input: { text } }]),
            recall: callAnswer(["toolbox", { tool: "recall", input: { query: "fact" } }]),
          }[step.kind];
          // The last answers are for summaries.
          harness.replaceScript(...(calls === null ? [] : [calls]), textAnswer("Done."), textAnswer("Done."));
          await rig.send(session, `go on ${"with it ".repeat(20)}`);
        }
      }
      check();
    }),
    { numRuns: lawRuns(40) },
  );
}, 120_000);

const startChild = useChildProgram("server/features/memory/__fixtures__/diary-child.ts");

test("a killed process leaves whole lines, and all it has reported", async () => {
  for (let kills = 0; kills < 10; kills += 1) {
    const folder = join(temporaryHome(), "memory");
    const child = startChild(folder);
    let reported = -1;
    for (let lines = 1 + kills * 3; lines > 0; lines -= 1) reported = Number(await child.next());
    reported = Number((await child.kill()).at(-1) ?? reported);
    const files = makeMemoryFiles(folder);
    for (const name of ["2026-11-25.md", "MEMORY.md"]) {
      const read = await files.read(name, "start");
      const text = read.ok ? read.value.text : "";
      expect(text.endsWith("end\n")).toBe(true);
      const numbers = text
        .trimEnd()
        .split("\n")
        .map((line) => Number(/^- (\d+) (?:word )*end$/.exec(line)?.[1]));
      expect(numbers.at(-1)).toBeGreaterThanOrEqual(reported);
      expect(numbers).toEqual(numbers.map((_number, at) => (numbers[0] ?? 0) + at));
    }
  }
}, 120_000);
