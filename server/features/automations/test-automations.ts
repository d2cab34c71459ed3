/** The feature over the services of the product; only the model is a script. For tests. */
import { onTestFinished } from "vitest";
import type { AutomationDefinition, AutomationRun, AutomationView } from "@/lib/automations/automation";
import type { NewNotice } from "@/lib/notices/notice";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import type { Result } from "@/lib/events/error";
import { asId, type ClientId } from "@/lib/events/id";
import type { CommandClient, HandlerTable } from "@/server/handlers/handlers";
import { makeRemoteSessions } from "@/server/session/service/remote-sessions";
import type { Session } from "@/server/session/core/session-types";
import { makeTestHarness, type TestHarnessOptions } from "@/server/session/testing/test-harness";
import { automationsFeature } from "./automations-feature";

type AutomationCommand = Extract<CommandName, `automations.${string}`>;

const tab: CommandClient = { id: asId<ClientId>("tab"), access: "owner", join: () => {}, leave: () => {} };

export async function makeTestAutomations(options: TestHarnessOptions = {}) {
  let feature: ReturnType<typeof automationsFeature> | null = null;
  const harness = await makeTestHarness({
    ...options,
    unattendedTerms: (id) => feature?.unattendedTerms(id) ?? null,
  });
  const { projectId } = harness.session().view;
  const clock = { now: Date.UTC(2026, 10, 30, 8, 0) };
  const changes = new Set<() => void>();
  const bugs: unknown[] = [];
  const notices: NewNotice[] = [];
  const start = () => {
    const { sessions, services, access, projects } = harness.services();
    const stop = new AbortController();
    const started = automationsFeature({
      store: harness.store,
      sessions,
      services,
      access,
      projects,
      settings: () => harness.settings.current,
      remoteSessions: (client) => makeRemoteSessions(sessions, client),
      push: () => {
        for (const changed of changes) queueMicrotask(changed);
      },
      now: () => clock.now,
      notify: (notice) => void notices.push(notice),
      log: () => {},
      reportBug: (_name, error) => void bugs.push(error),
    });
    sessions.subscribe(started.sessionListener.event);
    feature = started;
    const running = started.start(stop.signal);
    onTestFinished(async () => {
      stop.abort();
      await running;
    });
  };
  start();
  async function call<N extends AutomationCommand>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>> {
    const answer = await attempt(name, input);
    if (!answer.ok) throw new Error(`${answer.error.code} ${answer.error.detail ?? ""}`);
    return answer.value;
  }
  async function attempt<N extends AutomationCommand>(
    name: N,
    input: CommandInput<N>,
  ): Promise<Result<CommandOutput<N>>> {
    const table: Partial<HandlerTable> = feature?.commands ?? {};
    const handle = table[name];
    if (handle === undefined) throw new Error(`no handler of ${name}`);
    return handle(input, tab);
  }
  const viewOf = async (id: string): Promise<AutomationView> => {
    const { automations } = await call("automations.list", {});
    const found = automations.find((one) => one.id === id);
    if (found === undefined) throw new Error("no such automation");
    return found;
  };
  /** Resolves as soon as `isSo` holds, now or after a change. */
  const when = (id: string, isSo: (view: AutomationView) => boolean): Promise<AutomationView> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        viewOf(id).then((view) => {
          if (!isSo(view)) return;
          changes.delete(look);
          resolve(view);
        }, reject);
      };
      changes.add(look);
      look();
    });
  const definition = (changed: Partial<AutomationDefinition> = {}): AutomationDefinition => ({
    name: "Nightly check",
    projectId,
    prompt: "Check the build",
    mode: "ask",
    cardMinutes: 0,
    trigger: { kind: "time", cron: "0 9 * * *", zone: "UTC", missed: "run" },
    ...changed,
  });
  return {
    harness,
    clock,
    bugs,
    notices,
    call,
    attempt,
    viewOf,
    when,
    definition,
    feature: () => feature,
    /** A kill and a start. */
    async restart() {
      await harness.restart();
      harness.registry().recoverAll();
      start();
    },
    session(id: Session["id"]): Session {
      const session = harness.registry().get(id);
      if (session === undefined) throw new Error("no such session");
      return session;
    },
    /** Resolves with the newest run once it has its outcome. */
    async endedRun(id: string, count = 1): Promise<AutomationRun> {
      const view = await when(id, ({ runs }) => runs.filter(({ outcome }) => outcome !== undefined).length >= count);
      const [newest] = view.runs;
      if (newest === undefined) throw new Error("no run");
      return newest;
    },
    /** An automation whose rehearsal ended well; the rehearsal is its first run. */
    async rehearsed(changed: Partial<AutomationDefinition> = {}): Promise<string> {
      const { id } = await call("automations.save", { definition: definition(changed) });
      harness.script([
        { type: "text", text: "Fine." },
        { type: "finish", stop: "done", usage: rehearsalUsage },
      ]);
      await call("automations.rehearse", { id });
      await when(id, ({ rehearsal }) => rehearsal?.outcome === "done");
      return id;
    },
  };
}

const rehearsalUsage = { promptTokens: 0, outputTokens: 5, loadMs: 0, promptMs: 1, outputMs: 1 };
