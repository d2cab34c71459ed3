/** The feature over the services of the product; only the model is a script. For tests. */
import { asId, type ClientId } from "@/lib/events/id";
import type { Json } from "@/lib/events/content";
import type { Mode } from "@/lib/permissions/policy";
import { iterate } from "@/lib/view/chunks";
import type { CallView, SessionView } from "@/lib/view/view";
import type { Session } from "@/server/session/core/session-types";
import {
  callAnswer,
  makeTestHarness,
  type ScriptedAnswer,
  testCommandId,
  type TestHarnessOptions,
  waitForView,
} from "@/server/session/testing/test-harness";
import { subagentsFeature } from "./subagents-feature";

const tab = { id: asId<ClientId>("tab") };

/** A call of `spawn` through the toolbox. */
export const spawnAnswer = (...inputs: readonly Json[]): ScriptedAnswer =>
  callAnswer(...inputs.map((input): [string, Json] => ["toolbox", { tool: "spawn", input }]));

export const callsIn = (view: SessionView): readonly CallView[] =>
  [...iterate(view.entries)].flatMap((entry) => (entry.kind === "message" ? entry.calls : []));

export const outputOf = ({ output = [] }: CallView): string =>
  output.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");

export async function makeTestSubagents(options: TestHarnessOptions = {}) {
  let feature: ReturnType<typeof subagentsFeature> | null = null;
  const harness = await makeTestHarness({
    numCtx: 32_768,
    ...options,
    catalogueSources: () => [...(feature?.catalogueSources ?? []), ...(options.catalogueSources?.() ?? [])],
  });
  const start = () => {
    const { sessions, access } = harness.services();
    const started = subagentsFeature({
      sessions,
      access,
      store: harness.store,
    });
    sessions.subscribe(started.sessionListener.event);
    feature = started;
  };
  start();
  return {
    harness,
    /** Starts the feature again, as a new process does. */
    restart: async () => {
      await harness.restart();
      start();
      harness.registry().recoverAll();
    },
    session: (mode: Mode = "ask"): Session => harness.session(mode),
    /** Sends a prompt through the service. */
    async begin(session: Session, text: string): Promise<void> {
      const input = { sessionId: session.id, commandId: testCommandId(), text, intent: "prompt" } as const;
      const sent = await harness.sessions().send(input, tab);
      if (!sent.ok) throw new Error(sent.error.code);
    },
    /** Resolves with the view of the session once its run has ended. */
    ended: (session: Session) => waitForView(session, (view) => view.run === null && view.entries.length > 0),
    /** The subagents of a session, in the order in which they were started. */
    subagents: (parent: Session): readonly Session[] =>
      harness.store.sessions.subagents(parent.id).flatMap(({ id }) => harness.registry().get(id) ?? []),
    /** Resolves with the subagent of the session's first call once it exists. */
    startedSubagent: (parent: Session): Promise<Session> =>
      new Promise((resolve) => {
        const find = (): boolean => {
          const [first] = harness.store.sessions.subagents(parent.id);
          const found = first === undefined ? undefined : harness.registry().get(first.id);
          if (found !== undefined) resolve(found);
          return found !== undefined;
        };
        if (find()) return;
        const stop = harness.registry().subscribe(() => {
          if (find()) stop();
        });
      }),
  };
}
