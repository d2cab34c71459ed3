/**
 * Random sessions in which skills appear, change, are switched and vanish, and are used: every request begins with the
 * one before it unless the context was compacted between them, and what is given about skills at the start holds its
 * share of the window.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { asId, type ClientId } from "@/lib/events/id";
import { lawRuns } from "@/lib/testing/law-runs";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { pathEntries } from "@/lib/view/view";
import type { ModelRequest } from "@/server/providers/provider";
import { splitMessageElements } from "@/server/agent/context/message-elements";
import type { Session } from "@/server/session/core/session-types";
import {
  callAnswer,
  makeTestHarness,
  testCommandId,
  textAnswer,
  waitForView,
} from "@/server/session/testing/test-harness";
import { isSummaryRequest } from "@/server/session/testing/test-long-run";
import { catalogueShare } from "@/server/tools/toolbox/catalogue-text";
import { skillsFeature } from "./skills-feature";
import { writeSkill } from "./test-skills";

const names = ["pdf", "notes", "release", "review", "表格"];

type Step =
  | { readonly kind: "write"; readonly name: string; readonly size: number }
  | { readonly kind: "remove" | "switch" | "call" | "section" | "slash"; readonly name: string }
  | { readonly kind: "prompt" | "session" };

const name = fc.constantFrom(...names);
const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), name, size: fc.nat({ max: 40 }) }),
  fc.record({ kind: fc.constantFrom("remove", "switch", "call", "section", "slash"), name }),
  fc.record({ kind: fc.constantFrom("prompt", "session") }),
);

const wire = ({ tools, messages }: ModelRequest): string => JSON.stringify([tools, messages]).slice(0, -2);

/** Times the context of a session started over. */
const countContextStarts = ({ view }: Session): number =>
  pathEntries(view).filter(({ kind }) => kind === "compaction" || kind === "compaction_update").length;

/** Tokens about skills in the first message of a session. */
const startTokens = ({ messages }: ModelRequest): number =>
  splitMessageElements(messages[1]?.text ?? "").reduce(
    (sum, one) => sum + (one.kind === "context" && one.topic === "toolbox" ? estimateTokens(one.text) : 0),
    0,
  );

test("requests keep their prefix while skills appear, change and vanish, and the catalogue holds its share", async () => {
  const window = fc.constantFrom(4_096, 8_192, 16_384, 32_768);
  await fc.assert(
    fc.asyncProperty(window, fc.array(arbitraryStep, { minLength: 4, maxLength: 14 }), async (numCtx, steps) => {
      let feature: ReturnType<typeof skillsFeature> | null = null;
      const harness = await makeTestHarness({ catalogueSources: () => feature?.catalogueSources ?? [], numCtx });
      feature = skillsFeature({
        home: harness.home,
        environment: { HOME: harness.userHome, NODE_ENV: "test" },
        projects: harness.services().projects,
      });
      const place = join(harness.home, "skills");
      let session: Session = harness.session("plan");
      let seen = 0;
      const check = (): void => {
        const requests = harness.requests.slice(seen).filter((request) => !isSummaryRequest(request));
        const [first] = requests;
        if (first !== undefined) expect(startTokens(first)).toBeLessThanOrEqual(catalogueShare(numCtx));
        const breaks = requests.filter((request, index) => {
          const before = requests[index - 1];
          return before !== undefined && !wire(request).startsWith(wire(before));
        });
        expect(breaks.length).toBeLessThanOrEqual(countContextStarts(session));
      };
      const send = async (text: string): Promise<void> => {
        const input = { sessionId: session.id, commandId: testCommandId(), text, intent: "prompt" } as const;
        const sent = await harness.sessions().send(input, { id: asId<ClientId>("tab") });
        if (sent.ok) await waitForView(session, ({ run }) => run === null);
      };
      for (const step of steps) {
        if (step.kind === "write") {
          const text = `## One\n\n${"Do it with care. ".repeat(step.size * 10)}\n\n## Two\n\n${"Look. ".repeat(step.size)}`;
          writeSkill(place, step.name, `Is for ${step.name} of size ${step.size}. More.`, text);
        } else if (step.kind === "remove") rmSync(join(place, step.name), { recursive: true, force: true });
        else if (step.kind === "switch")
          await feature.commands["skills.set"]({
            projectId: session.view.projectId,
            folder: join(place, step.name),
            isOff: true,
          });
        else if (step.kind === "session") {
          check();
          seen = harness.requests.length;
          session = harness.session("plan");
        } else {
          const tool = "name" in step ? `skill:${step.name}` : "";
          const calls = {
            prompt: null,
            slash: null,
            call: callAnswer(["toolbox", { tool }], ["toolbox", { search: "care" }]),
            section: callAnswer(["toolbox", { tool, input: { section: "two" } }]),
          }[step.kind];
          // The last answer is for a summary.
          harness.replaceScript(...(calls === null ? [] : [calls]), textAnswer("Done."), textAnswer("Done."));
          await send(step.kind === "slash" ? `/${tool} go on` : "go on");
        }
      }
      check();
    }),
    { numRuns: lawRuns(40) },
  );
}, 120_000);
