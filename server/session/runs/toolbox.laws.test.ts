/**
 * Random sessions with sources of external tools that appear, change and vanish: every request begins with the one
 * before it unless the context was compacted between them, what is given about the tools at the start holds its share,
 * and it is given again only if a source changed or the context was compacted.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { lawRuns } from "@/lib/testing/law-runs";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { pathEntries } from "@/lib/view/view";
import type { ModelRequest } from "@/server/providers/provider";
import { splitMessageElements } from "@/server/agent/context/message-elements";
import { catalogueShare } from "@/server/tools/toolbox/catalogue-text";
import type { Session } from "../core/session-types";
import { callAnswer, makeTestHarness, promptAndWait, type TestHarness, textAnswer } from "../testing/test-harness";
import { isSummaryRequest } from "../testing/test-long-run";
import { makeTestSource, type TestSource } from "./test-external-source";

const toolNames = [
  "create_issue",
  "close_issue",
  "search",
  "read_file",
  "list",
  ...Array.from({ length: 30 }, (_, at) => `t${at}`),
];

type Step =
  | { readonly kind: "offer"; readonly source: number; readonly count: number }
  | { readonly kind: "define"; readonly source: number; readonly version: number }
  | { readonly kind: "prompt" | "call" | "search" | "direct" | "restart" | "session" };

const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("offer" as const),
    source: fc.nat({ max: 2 }),
    count: fc.nat({ max: toolNames.length }),
  }),
  fc.record({ kind: fc.constant("define" as const), source: fc.nat({ max: 2 }), version: fc.nat({ max: 2 }) }),
  fc.record({ kind: fc.constantFrom("prompt", "call", "search", "direct", "restart", "session") }),
);

const wire = ({ tools, messages }: ModelRequest): string => JSON.stringify([tools, messages]).slice(0, -2);

/** Tokens of the schemas and texts about external tools in the first request. */
function startTokens({ tools, messages }: ModelRequest): number {
  const schemas = tools.filter(({ name }) => name.includes("__"));
  const elements = splitMessageElements(messages[1]?.text ?? "");
  const texts = elements.flatMap((one) => (one.kind === "context" && one.topic === "toolbox" ? [one.text] : []));
  return [...schemas.map((schema) => JSON.stringify(schema)), ...texts].reduce(
    (sum, text) => sum + estimateTokens(text),
    0,
  );
}

/** Texts about external tools in all messages and results of a session. */
const countToolboxBlocks = ({ view }: Session): number =>
  pathEntries(view)
    .flatMap((entry) =>
      entry.kind === "message" ? [...entry.blocks, ...entry.calls.flatMap(({ output }) => output ?? [])] : [],
    )
    .filter((block) => block.type === "context" && block.topic === "toolbox").length;

/** Times the context of a session started over. */
const countContextStarts = ({ view }: Session): number =>
  pathEntries(view).filter(({ kind }) => kind === "compaction" || kind === "compaction_update").length;

/** Server tokens per estimated token, as learned from answers. */
const tokenRatios = [1, 0.6, 1.7, 1.2];

test("requests keep their prefix and the catalogue is given once per change within its share", async () => {
  const window = fc.constantFrom(4_096, 8_192, 16_384, 32_768);
  await fc.assert(
    fc.asyncProperty(window, fc.array(arbitraryStep, { minLength: 4, maxLength: 14 }), async (numCtx, steps) => {
      const sources: readonly TestSource[] = ["github", "files", "web"].map((id) => makeTestSource(id, []));
      const harness: TestHarness = await makeTestHarness({
        catalogueSources: () => sources.map(({ source }) => source),
        numCtx,
        facts: () => ({ window: numCtx, tokenRatio: tokenRatios[harness.requests.length % tokenRatios.length] ?? 1 }),
      });
      let session: Session = harness.session("plan");
      let isChanged = true;
      let seen = harness.requests.length;
      const check = (): void => {
        const own = harness.requests.slice(seen).filter((request) => !isSummaryRequest(request));
        let breaks = 0;
        for (const [index, request] of own.entries()) {
          const before = own[index - 1];
          if (before !== undefined && !wire(request).startsWith(wire(before))) breaks += 1;
          expect(request.tools.filter(({ name }) => name === "toolbox")).toHaveLength(1);
        }
        expect(breaks).toBeLessThanOrEqual(countContextStarts(session));
        const [first] = own;
        if (first !== undefined) expect(startTokens(first)).toBeLessThanOrEqual(catalogueShare(numCtx));
      };
      for (const step of steps) {
        if (step.kind === "offer" || step.kind === "define" || step.kind === "session") isChanged = true;
        if (step.kind === "offer") sources[step.source]?.offer(toolNames.slice(0, step.count));
        else if (step.kind === "define") sources[step.source]?.define(`v${step.version}`);
        else if (step.kind === "restart") {
          await harness.restart();
          harness.registry().recoverAll();
          session = harness.reload(session);
        } else if (step.kind === "session") {
          check();
          seen = harness.requests.length;
          session = harness.session("plan");
        } else {
          const input = { title: "x" };
          const calls = {
            prompt: null,
            call: callAnswer(["toolbox", { tool: "github__create_issue", input }]),
            search: callAnswer(["toolbox", { search: "issue" }], ["toolbox", { tool: "files" }]),
            direct: callAnswer(["web__search", input]),
          }[step.kind];
          // The last answer is for a summary.
          harness.replaceScript(...(calls === null ? [] : [calls]), textAnswer("Done."), textAnswer("Done."));
          const before = countToolboxBlocks(session);
          const startsBefore = countContextStarts(session);
          await promptAndWait(session, "go on");
          const starts = countContextStarts(session) - startsBefore;
          expect(countToolboxBlocks(session) - before).toBeLessThanOrEqual((isChanged ? 1 : 0) + starts);
          isChanged = false;
        }
      }
      check();
    }),
    { numRuns: lawRuns(60) },
  );
}, 120_000);
