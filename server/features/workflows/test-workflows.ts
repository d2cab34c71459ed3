/** The feature over the services of the product; only the model is a script. For tests. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { asId, type ClientId } from "@/lib/events/id";
import type { Json } from "@/lib/events/content";
import { pendingApprovals } from "@/lib/view/view";
import { type WorkflowRun, workflowRun } from "@/lib/workflows/workflow-run";
import type { Session } from "@/server/session/core/session-types";
import {
  makeTestHarness,
  testCommandId,
  type TestHarnessOptions,
  testTab,
  waitForView,
} from "@/server/session/testing/test-harness";
import { requestClient } from "@/server/handlers/handler-table";
import { StoreError } from "@/server/store/core/store-error";
import type { StepSessions } from "./run/step-sessions";
import { workflowsFeature } from "./workflows-feature";

const client = { ...requestClient(""), id: asId<ClientId>("tab") };

export const runOf = (session: Session): WorkflowRun =>
  workflowRun(session.view.workflow) ?? expect.fail("no workflow");

/** State and output of each step, in the order in which they began. */
export const stepsOf = (session: Session): readonly (readonly [key: string, state: string, output: string])[] =>
  [...runOf(session).steps.values()].map(({ key, state, output }) => [key, state, output]);

interface TestWorkflowsOptions extends TestHarnessOptions {
  /** In place of the services' own. */
  readonly send?: StepSessions["send"];
  readonly reportBug?: (name: string, error: unknown) => void;
}

export async function makeTestWorkflows({ send, reportBug, ...options }: TestWorkflowsOptions = {}) {
  const harness = await makeTestHarness(options);
  let feature = make();
  function make() {
    const { sessions, projects } = harness.services();
    const started = workflowsFeature({
      home: harness.home,
      projects,
      sessions: send === undefined ? sessions : { ...sessions, send },
      reportBug: (name, error) => {
        if (reportBug !== undefined) return reportBug(name, error);
        // The store rejects the late writes of a killed process.
        if (!(error instanceof StoreError)) throw new Error(name, { cause: error });
      },
    });
    sessions.subscribe(started.sessionListener.event);
    return started;
  }
  const { projectId } = harness.session().view;
  const start = async (name: string, inputs: { readonly [name: string]: Json } = {}) => {
    const started = await feature.commands["workflows.start"](
      { projectId, commandId: testCommandId(), name, inputs },
      client,
    );
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    return harness.registry().get(started.value.row.id) ?? expect.fail("no session");
  };
  const reload = (session: Session): Session => harness.reload(session);
  return {
    harness,
    projectId,
    client,
    start,
    commands: () => feature.commands,
    feature: () => feature,
    /** Writes a workflow of the home folder. */
    put(name: string, text: string): void {
      mkdirSync(join(harness.home, "workflows"), { recursive: true });
      writeFileSync(join(harness.home, `workflows/${name}.yaml`), text);
    },
    /** Simulates a kill and the next start. */
    async restart(session: Session): Promise<Session> {
      await harness.restartAll();
      feature = make();
      return reload(session);
    },
    /** Resolves once the workflow has ended. */
    ended: async (session: Session): Promise<WorkflowRun> => {
      await waitForView(session, (view) => {
        const run = workflowRun(view.workflow);
        return run !== null && run.end !== null && view.run === null;
      });
      return runOf(session);
    },
    /** Allows every call that asks, until the workflow ends. */
    allowAll(session: Session): () => void {
      const allow = () => {
        for (const { approval } of pendingApprovals(session.view))
          session.answer(approval.approvalId, { option: "once" }, testTab);
      };
      return session.subscribe(() => queueMicrotask(allow));
    },
  };
}
