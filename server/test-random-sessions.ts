/**
 * Sessions with memory, skills, subagents, gates and external tools at once, over the features of the product; only the
 * model is a script. For tests.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { fail } from "@/lib/events/error";
import { type Envelope, isDurable } from "@/lib/events/event";
import type { ApprovalOption, Mode } from "@/lib/permissions/policy";
import { pathEntries, type SessionView } from "@/lib/view/view";
import type { Feature } from "./features/feature";
import { extensionsFeature } from "./features/extensions/extensions-feature";
import { bashScript, valueOf, writeExtension } from "./features/extensions/test-extensions";
import { memoryFeature } from "./features/memory/memory-feature";
import { skillsFeature } from "./features/skills/skills-feature";
import { subagentsFeature } from "./features/subagents/subagents-feature";
import type { ModelRequest } from "./providers/provider";
import type { Session } from "./session/core/session-types";
import { makeTestSource, type TestSource } from "./session/runs/test-external-source";
import {
  makeTestHarness,
  type ScriptedAnswer,
  testCommandId,
  type TestHarness,
  testTab,
  textAnswer,
  waitForView,
} from "./session/testing/test-harness";
import { isSummaryRequest } from "./session/testing/test-long-run";
import { makeCleanupJournal } from "./workspace/shell/cleanup-journal";

/** Verdicts of the gate about each call; "none" = there is no gate. */
export const gateStates = ["none", "allow", "ask", "deny", "broken"] as const;
type GateState = (typeof gateStates)[number];

/** A request, the session it is of, and how often the session's context had started over when it was sent. */
export interface SentRequest {
  readonly request: ModelRequest;
  readonly session: Session;
  readonly starts: number;
}

const countContextStarts = (view: SessionView): number =>
  pathEntries(view).filter(({ kind }) => kind === "compaction" || kind === "compaction_update").length;

const isOfSubagent = ({ messages }: ModelRequest): boolean =>
  messages[1]?.text.includes('<context about="subagent">') === true;

const gateScript = (statePath: string): string =>
  bashScript(
    `case "$(cat '${statePath}')" in deny) echo no >&2; exit 2;; ask) echo '{"decision":"ask"}';; broken) exit 1;; esac`,
  );

/** Answers of a user who is asked, in turn. */
const replies: readonly ApprovalOption[] = ["once", "deny", "always"];

interface RandomSessionsOptions {
  readonly numCtx: number;
  /** Tokens of the model server for one of our estimate. */
  readonly tokenRatio: () => number;
  /** Called with each request of a session. */
  readonly check: (sent: SentRequest) => void;
}

/** The features of one process over the harness. */
function startFeatures(harness: TestHarness) {
  const { services, store, home, userHome } = harness;
  const { projects, services: sessionServices, access } = services();
  const sessions = harness.sessions();
  const settings = () => harness.settings.current;
  const environment = { PATH: process.env.PATH, HOME: userHome, NODE_ENV: "test" } as const;
  const shared = { home, settings, now: Date.now, store, projects, services: sessionServices };
  const extensions = extensionsFeature({
    ...shared,
    access,
    sessions: { get: (id) => (harness.registry().get(id) === undefined ? fail("not_found") : sessions.get(id)) },
    environment,
    leftovers: makeCleanupJournal(home, () => false),
    push: () => {},
    bearer: "bearer-of-the-test",
    reportBug: () => {},
  });
  const memory = memoryFeature({ ...shared, sessions, log: () => {} });
  const skills = skillsFeature({ home, environment, projects });
  const subagents = subagentsFeature({ sessions, store, access });
  const stop = new AbortController();
  const stopped = [extensions, memory, skills].map((one) => one.start(stop.signal));
  const features: readonly Feature[] = [subagents, memory, skills, extensions];
  let replied = 0;
  const answerCards = (envelope: Envelope): void => {
    if (!isDurable(envelope) || envelope.event.type !== "approval_request") return;
    const { approvalId, options } = envelope.event;
    replied += 1;
    const wanted = replies[replied % replies.length];
    const option = wanted !== undefined && options.includes(wanted) ? wanted : "once";
    queueMicrotask(() => harness.registry().get(envelope.sessionId)?.answer(approvalId, { option }, testTab));
  };
  const unsubscribe = harness.registry().subscribe((envelope) => {
    for (const { sessionListener } of features) sessionListener?.event?.(envelope);
    answerCards(envelope);
  });
  return {
    features,
    extensions,
    async close(): Promise<void> {
      unsubscribe();
      stop.abort();
      await Promise.all(stopped);
    },
  };
}

/** A project with these features. The model gives the answers of a run one after the other, then "Done.". */
export async function makeRandomSessions({ numCtx, tokenRatio, check }: RandomSessionsOptions) {
  let running: ReturnType<typeof startFeatures> | null = null;
  let gate: GateState = "none";
  const external: readonly TestSource[] = ["github", "files"].map((id) => makeTestSource(id, []));
  const answers = { parent: new Array<ScriptedAnswer>(), subagent: new Array<ScriptedAnswer>() };
  const harness: TestHarness = await makeTestHarness({
    numCtx,
    facts: () => ({ window: numCtx, tokenRatio: tokenRatio() }),
    catalogueSources: () => [
      ...external.map(({ source }) => source),
      ...(running?.features.flatMap(({ catalogueSources = [] }) => catalogueSources) ?? []),
    ],
    get contextSources() {
      return running?.features.flatMap(({ contextSources = [] }) => contextSources) ?? [];
    },
    askGates: (call, signal) =>
      gate === "none" || running === null
        ? Promise.resolve({ kind: "pass" })
        : running.extensions.askGates(call, signal),
    answer(request) {
      if (isSummaryRequest(request)) return textAnswer("A summary of what was done.");
      const isSubagent = isOfSubagent(request);
      const sender = isSubagent ? subagents().find(({ view }) => view.run !== null) : session;
      if (sender === undefined) throw new Error("a request without a session");
      check({ request, session: sender, starts: countContextStarts(sender.view) });
      return answers[isSubagent ? "subagent" : "parent"].shift() ?? textAnswer("Done.");
    },
  });
  running = startFeatures(harness);
  onTestFinished(() => running?.close());
  let session = harness.session();
  const { projectId } = session.view;
  harness.store.projects.setTrust(projectId, 1);
  const subagents = (): readonly Session[] =>
    harness.store.sessions.subagents(session.id).flatMap(({ id }) => harness.registry().get(id) ?? []);
  const statePath = join(harness.home, "gate-state");
  writeFileSync(statePath, gate);
  writeExtension(join(harness.home, "extensions"), "guard", {
    "extension.yaml": "gate: { before_tool: gate.sh }\n",
    "gate.sh": gateScript(statePath),
  });
  const { places } = valueOf(await running.extensions.commands["extensions.list"]({ projectId }));
  const [guard] = places.flatMap(({ extensions }) => extensions);
  if (guard === undefined || guard.hash === null) throw new Error("the gate was not found");
  const { path: extension, hash } = guard;
  valueOf(await running.extensions.commands["extensions.enable"]({ projectId, extension, hash }));
  const send = async (text: string): Promise<void> => {
    const input = { sessionId: session.id, commandId: testCommandId(), text, intent: "prompt" } as const;
    const sent = await harness.sessions().send(input, { id: testTab });
    if (!sent.ok) throw new Error(sent.error.code);
  };
  return {
    harness,
    external,
    session: () => session,
    /** The subagents of the session, the earliest first. */
    subagents,
    begin(mode: Mode): void {
      session = harness.session(mode);
    },
    gate: () => gate,
    /** Calls of external tools that ran. */
    ranOutside: () => external.reduce((sum, { calls }) => sum + calls.length, 0),
    setGate(state: GateState): void {
      gate = state;
      writeFileSync(statePath, state);
    },
    /** Writes a file below the project's folder or, `place` = "home", the data folder. */
    write(place: "root" | "home", path: string, text: string): void {
      const file = join(harness[place], path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    /** Begins a run with these answers of the session and of its subagents. */
    async start(
      text: string,
      parent: readonly ScriptedAnswer[],
      ofSubagents: readonly ScriptedAnswer[],
    ): Promise<void> {
      answers.parent = [...parent];
      answers.subagent = [...ofSubagents];
      await send(text);
    },
    /** Resolves when the run has ended. */
    ended: () => waitForView(session, ({ run }) => run === null),
    /** Kills the process, also within a run, and starts it again. */
    async restart(mode: Mode): Promise<void> {
      await harness.restart();
      await running?.close();
      running = startFeatures(harness);
      harness.registry().recoverAll();
      session = harness.reload(session);
      // Full access returns to Ask.
      session.update({ mode }, testCommandId());
    },
    async compact(): Promise<void> {
      const started = session.compact(undefined, testCommandId());
      if (started.ok) await started.value.done;
    },
  };
}
