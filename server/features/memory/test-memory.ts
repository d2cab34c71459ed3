/** The feature over the services of the product; only the model is a script. For tests. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { asId, type ClientId } from "@/lib/events/id";
import { pendingApprovals } from "@/lib/view/view";
import type { Mode } from "@/lib/permissions/policy";
import type { ModelRequest } from "@/server/providers/provider";
import type { NewReference } from "@/lib/protocol/reference-commands";
import type { Session } from "@/server/session/core/session-types";
import {
  makeTestHarness,
  testCommandId,
  testTab,
  type TestHarness,
  type TestHarnessOptions,
  waitForView,
} from "@/server/session/testing/test-harness";
import { splitMessageElements } from "@/server/agent/context/message-elements";
import { memoryFeature } from "./memory-feature";

const tab = { id: asId<ClientId>("tab") };

/** The texts of a topic in a request. */
export const topicTexts = (request: ModelRequest | undefined, topic: "owner" | "memory"): readonly string[] =>
  (request?.messages ?? [])
    .filter(({ role }) => role === "user")
    .flatMap(({ text }) => splitMessageElements(text))
    .flatMap((one) => (one.kind === "context" && one.topic === topic ? [one.text] : []));

/** The text of a topic in a request's first message; null = none. */
export function startText(request: ModelRequest | undefined, topic: "owner" | "memory"): string | null {
  const elements = splitMessageElements(request?.messages[1]?.text ?? "");
  const found = elements.find((one) => one.kind === "context" && one.topic === topic);
  return found?.kind === "context" ? found.text : null;
}

export async function makeTestMemory(
  options: TestHarnessOptions = {},
  now: () => number = Date.now,
  parts?: Parameters<typeof memoryFeature>[1],
) {
  let feature: ReturnType<typeof memoryFeature> | null = null;
  const harness: TestHarness = await makeTestHarness({
    ...options,
    catalogueSources: () => [...(feature?.catalogueSources ?? []), ...(options.catalogueSources?.() ?? [])],
    get contextSources() {
      return feature?.contextSources ?? [];
    },
  });
  const logged: string[] = [];
  const start = () => {
    const host = {
      home: harness.home,
      settings: () => harness.settings.current,
      now,
      store: harness.store,
      sessions: harness.sessions(),
      projects: harness.services().projects,
      services: harness.services().services,
      log: (line: string) => void logged.push(line),
    };
    const started = memoryFeature(host, parts);
    const stop = new AbortController();
    const stopped = started.start(stop.signal);
    feature = started;
    return { commands: started.commands, listener: started.sessionListener, close: () => (stop.abort(), stopped) };
  };
  let running = start();
  onTestFinished(() => running.close());
  const pathOf = (name: string): string => join(harness.home, "memory", name);
  const follow = (session: Session): Session => {
    session.subscribe((envelope) => running.listener.event?.(envelope));
    return session;
  };
  return {
    harness,
    logged,
    commands: () => running.commands,
    /** Starts the feature again, as a new process does. */
    restart: () => {
      running = start();
    },
    /** Ends the feature; resolves when all lines of the diary are written. */
    close: () => running.close(),
    /** A session in a folder that the user trusts, or does not. */
    session(mode: Mode = "ask", isTrusted = true): Session {
      const session = harness.session(mode);
      harness.store.projects.setTrust(session.view.projectId, isTrusted ? now() : null);
      return follow(session);
    },
    follow,
    write(name: string, text: string): void {
      mkdirSync(dirname(pathOf(name)), { recursive: true });
      writeFileSync(pathOf(name), text);
    },
    read: (name: string): string => readFileSync(pathOf(name), "utf8"),
    /** Sends a prompt through the service and allows what is asked, once; resolves with the ended run. */
    async send(session: Session, text: string): Promise<void> {
      const input = { sessionId: session.id, commandId: testCommandId(), text, intent: "prompt" } as const;
      const sent = await harness.sessions().send(input, tab);
      if (!sent.ok) throw new Error(sent.error.code);
      for (;;) {
        const view = await waitForView(session, (now) => now.run === null || pendingApprovals(now).length > 0);
        if (view.run === null) return;
        for (const { approval } of pendingApprovals(view))
          session.answer(approval.approvalId, { option: "once" }, testTab);
      }
    },
    /** Sends a prompt through the service without waiting for its end. */
    async begin(session: Session, text: string, references: readonly NewReference[] = []): Promise<void> {
      const input = { sessionId: session.id, commandId: testCommandId(), text, intent: "prompt", references } as const;
      const sent = await harness.sessions().send(input, tab);
      if (!sent.ok) throw new Error(sent.error.code);
    },
  };
}
