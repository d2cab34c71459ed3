/**
 * Kills at any event of a workflow with every kind of step: no step runs twice by itself, and the workflow still ends, with
 * each step done once or left out by the user.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isDurable } from "@/lib/events/event";
import { lawRuns } from "@/lib/testing/law-runs";
import { pendingApprovals } from "@/lib/view/view";
import { openQuestion } from "@/lib/workflows/workflow-run";
import type { Session } from "@/server/session/core/session-types";
import { StoreError } from "@/server/store/core/store-error";
import { testCommandId, textAnswer, waitForView } from "@/server/session/testing/test-harness";
import { makeTestWorkflows, runOf } from "../test-workflows";

const outer = `steps:
  - { id: run, run: echo run >> effects }
  - { id: think, prompt: prompt one }
  - { id: each, run: 'echo "each$I" >> effects', for_each: [0, 1], env: { I: "\${{ item }}" } }
  - { id: sure, ask: Go on? }
  - { id: inside, workflow: inner }
  - { id: made, tool: write, with: { path: made.txt, content: made } }
`;
const inner = "steps:\n  - { id: deep, run: echo deep >> effects }\n  - { id: asks, prompt: prompt two }\n";
const steps = ["run", "think", "each[0]", "each[1]", "sure", "inside/deep", "inside/asks", "made"];

/** Resolves after so many more events of the session, or at the end of its workflow. */
const afterEvents = (session: Session, count: number): Promise<void> =>
  new Promise((resolve) => {
    let left = count;
    const stop = session.subscribe((envelope) => {
      if (!isDurable(envelope)) return;
      left -= 1;
      if (left > 0 && envelope.event.type !== "workflow_end") return;
      stop();
      resolve();
    });
  });

/** Ignores that the store rejects late writes of a killed process. */
const ignoreKilled = (error: unknown): void => {
  if (!(error instanceof StoreError)) throw error;
};

test("no step runs twice by itself, wherever the program is killed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 3 }), async (kills) => {
      const prompts: string[] = [];
      const rig = await makeTestWorkflows({
        answer: ({ messages }) => {
          const text = messages.at(-1)?.text ?? "";
          prompts.push(/prompt \w+/.exec(text)?.[0] ?? text);
          return textAnswer("done");
        },
      });
      rig.put("outer", outer);
      rig.put("inner", inner);
      let session = await rig.start("outer");
      const follow = (): void => {
        rig.allowAll(session);
        const answer = (): void => {
          const question = openQuestion(runOf(session));
          if (question !== undefined && runOf(session).end === null)
            rig
              .commands()
              ["workflows.answer"]({
                sessionId: session.id,
                commandId: testCommandId(),
                step: question.key,
                answer: "yes",
              })
              .catch(ignoreKilled);
        };
        session.subscribe((envelope) => {
          if (isDurable(envelope) && envelope.event.type === "step_start" && envelope.event.kind === "ask")
            queueMicrotask(answer);
        });
        answer();
      };
      const goOn = async (): Promise<void> => {
        // A card that waited at the kill still waits.
        rig.allowAll(session);
        for (const { approval } of pendingApprovals(session.view))
          session.answer(approval.approvalId, { option: "once" }, rig.client.id);
        await waitForView(session, ({ run }) => run === null);
        if (runOf(session).end === null || runOf(session).end?.reason === "done") return;
        const plain = await rig.commands()["workflows.continue"]({ sessionId: session.id, commandId: testCommandId() });
        if (plain.ok) return;
        expect(plain.error.code).toBe("conflict");
        const skipped = await rig
          .commands()
          ["workflows.continue"]({ sessionId: session.id, commandId: testCommandId(), unknown: "skip" });
        expect(skipped).toEqual({ ok: true, value: null });
      };
      follow();
      for (const count of kills) {
        if (runOf(session).end === null) await afterEvents(session, count);
        session = await rig.restart(session);
        const more = afterEvents(session, 1);
        await goOn();
        follow();
        if (runOf(session).end === null) await more;
      }
      const run = await rig.ended(session);
      expect(run.end?.reason).toBe("done");
      expect([...run.steps.keys()].filter((key) => key !== "inside").toSorted()).toEqual(steps.toSorted());
      const path = join(rig.harness.root, "effects");
      const effects = existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
      for (const list of [effects, prompts]) expect(list).toEqual([...new Set(list)]);
      for (const [key, effect] of [
        ["run", "run"],
        ["each[0]", "each0"],
        ["each[1]", "each1"],
        ["inside/deep", "deep"],
      ] as const)
        if (run.steps.get(key)?.state === "ok") expect(effects).toContain(effect);
    }),
    { numRuns: lawRuns(100) },
  );
});
