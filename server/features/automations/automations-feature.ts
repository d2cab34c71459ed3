/** Automations: their commands, the timer that looks for due times, and the triggers beside the time. */
import { loadOnce } from "@/lib/async/load-once";
import { fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { type Envelope, isDurable } from "@/lib/events/event";
import { type AutomationStore, createAutomations } from "@/server/store/automations";
import { pause } from "@/server/base/abort";
import { ownerPath } from "@/server/security/paths/safe-path";
import type { TextFile } from "@/server/workspace/workspace";
import type { Feature, FeatureHost } from "../feature";
import type { HandlerTable } from "@/server/handlers/handlers";
import { type Automations, firstTimes, makeAutomations } from "./automations";
import { makeFiring } from "./firing";
import { heartbeatFile, makeHeartbeat } from "./heartbeat";
import { makeAutomationRunner } from "./run-automation";
import { makeTriggers, type Triggers } from "./triggers";
import { loadSchedules, type Schedules } from "./schedule-times";
import type { AutomationStart, AutomationRule } from "@/lib/automations/automation";
import { iterate } from "@/lib/view/chunks";
import type { SessionView, CallView } from "@/lib/view/view";

/**
 * Returns what the owner allowed in a rehearsal, as rules that an automation can have: one for each thing that was allowed,
 * in the order of the calls. An approval that no rule can express is left out.
 */
function rehearsedRules(view: SessionView): readonly AutomationRule[] {
  const rules = new Map<string, AutomationRule>();
  for (const entry of iterate(view.entries)) {
    if (entry.kind !== "message") continue;
    for (const call of entry.calls) {
      const rule = ruleOf(call);
      if (rule !== null) rules.set(JSON.stringify(rule), rule);
    }
  }
  return [...rules.values()];
}

function ruleOf({ approvals, kind, target }: CallView): AutomationRule | null {
  const approval = approvals.at(-1);
  if (approval?.response === undefined || approval.response.option === "deny" || approval.gate !== undefined)
    return null;
  if (approval.rule !== undefined) return approval.rule;
  if (/[*?[\]{}!\\]/.test(target)) return null;
  if (kind === "edit" || kind === "write") return { tool: "files", access: "write", glob: target };
  return kind === "delete" ? { tool: "files", access: "delete", glob: target } : null;
}

/** Reads what a session began with. */
function sessionStart({ projectId, entries, model }: SessionView): AutomationStart {
  let prompt = "";
  for (const entry of iterate(entries)) {
    if (entry.kind !== "message" || entry.role !== "user") continue;
    prompt = entry.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    break;
  }
  const connection = model === null || model.provider === "ollama" ? {} : { connection: model.provider };
  return { projectId, prompt, ...(model === null ? {} : { model: model.model, ...connection }) };
}

/** Rows of due times are deleted after this, ms; the newest remain. */
const rowsAgeMs = 90 * 24 * 3_600_000;
const retainedRows = 50;

type AutomationsHost = Pick<
  FeatureHost,
  | "settings"
  | "store"
  | "remoteSessions"
  | "sessions"
  | "projects"
  | "services"
  | "access"
  | "push"
  | "now"
  | "log"
  | "reportBug"
  | "notify"
>;

export function automationsFeature(host: AutomationsHost) {
  const { store, sessions, now } = host;
  const rows = createAutomations(store.database);
  const schedules = loadOnce(loadSchedules);
  let wake = (): void => {};
  let userAt = Number.NEGATIVE_INFINITY;
  const runner = makeAutomationRunner({
    heartbeat: makeHeartbeat({
      read: (projectId) => readHeartbeatFile(host.projects, projectId),
      sinceUserMs: () => now() - userAt,
    }),
    archive: (id) => void sessions.mark({ sessionIds: [id], archived: true }),
    remoteSessions: host.remoteSessions,
    parentOf: (id) => store.sessions.get(id)?.parent?.sessionId,
  });
  const automations = makeAutomations({
    store: rows,
    runner,
    schedules,
    checkProject: (id) => host.projects.get(id),
    hostOf(definition) {
      const { model = "", connection } = definition;
      const provider = host.services.chooseModel({ name: model, connection })?.change.provider ?? connection ?? "";
      return host.access.servers.get(provider)?.host() ?? provider;
    },
    changed: () => host.push({ type: "automations" }),
    written() {
      triggers.update();
      wake();
    },
    paused: ({ name }, sessionId) => host.notify({ kind: "paused", title: name, sessionId, seq: now() }),
    reportBug: (error) => host.reportBug("automations", error),
    now,
  });
  const triggers = makeHostTriggers(host, automations, rows);
  const firing = loadOnce(async () =>
    makeFiring({
      store: rows,
      schedules: await schedules(),
      automations: automations.all,
      isBusy: automations.isBusy,
      checked: automations.checked,
      start: automations.startDue,
      now,
    }),
  );
  const look = async (): Promise<number | null> => {
    const isTimed = automations.all().some(({ isOn, trigger }) => isOn && trigger.kind === "time");
    return isTimed ? (await firing()).look() : null;
  };
  const lookOrReport = (): Promise<number | null> => look().catch((error: unknown) => reportLook(host, error));

  return {
    commands: automationCommandHandlers(automations, schedules, host),
    unattendedTerms: runner.unattendedTerms,
    sessionListener: {
      event(envelope) {
        runner.event(envelope);
        if (isWork(envelope) && runner.unattendedTerms(envelope.sessionId) === null) userAt = now();
        if (!isDurable(envelope) || envelope.event.type !== "agent_end") return;
        const session = sessions.get(envelope.sessionId);
        if (session.ok) triggers.runEnded(session.value.view.projectId, envelope.sessionId);
      },
    },
    async start(signal) {
      for (const { sessionId } of automations.recover()) {
        // A card of a run that began before would wait without limit.
        const session = sessionId === undefined ? fail("not_found") : sessions.get(sessionId);
        if (session.ok && session.value.view.run !== null) await sessions.stop(session.value.id);
      }
      triggers.update();
      rows.prune(now() - rowsAgeMs, retainedRows);
      await lookUntil(lookOrReport, (wakeNow) => (wake = wakeNow), signal);
      triggers.close();
      await automations.close();
    },
    keepsAlive: () => automations.all().some(({ id }) => automations.isBusy(id)),
  } satisfies Feature;
}

function reportLook({ reportBug }: Pick<AutomationsHost, "reportBug">, error: unknown): number {
  reportBug("automations", error);
  return retryMs;
}

/** Wait after a look that failed, ms. */
const retryMs = 60_000;
/** Node's longest timer, ms: nothing can be due. */
const longestTimerMs = 2 ** 31 - 1;

/** Looks again after the time that `look` resolves with, or as soon as the function passed to `setWake` is called. */
async function lookUntil(
  look: () => Promise<number | null>,
  setWake: (wake: () => void) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const woken = new AbortController();
    setWake(() => woken.abort());
    const waitMs = await look();
    await pause(waitMs ?? longestTimerMs, AbortSignal.any([signal, woken.signal]));
  }
}

const automationCommandHandlers = (
  automations: Automations,
  schedules: () => Promise<Schedules>,
  { sessions, now }: Pick<AutomationsHost, "sessions" | "now">,
) =>
  ({
    "automations.list": async () => ok({ automations: await automations.list() }),
    "automations.draft"({ sessionId }) {
      const session = sessions.get(sessionId);
      return session.ok ? ok(sessionStart(session.value.view)) : session;
    },
    async "automations.preview"(schedule) {
      const times = (await schedules()).check(schedule);
      return times.ok ? ok({ next: firstTimes(times.value, now()) }) : times;
    },
    "automations.save": ({ id, definition }) => automations.save(id, definition),
    "automations.switch": ({ id, isOn }) => automations.switch(id, isOn),
    "automations.set_rules": ({ id, rules }) => automations.setRules(id, rules),
    "automations.remove": ({ id }) => automations.remove(id),
    "automations.run": ({ id, data }, { origin }) =>
      automations.start(id, origin?.kind === "cli" ? "cli" : "user", data),
    "automations.rehearse": ({ id }) => automations.start(id, "rehearsal"),
    "automations.rehearsed_rules"({ id }) {
      const rehearsal = automations.all().find((one) => one.id === id)?.rehearsal;
      const session = rehearsal === undefined ? fail("not_found") : sessions.get(rehearsal.sessionId);
      return session.ok ? ok({ rules: rehearsedRules(session.value.view) }) : session;
    },
  }) satisfies Partial<HandlerTable>;

const makeHostTriggers = (host: AutomationsHost, automations: Automations, rows: AutomationStore): Triggers =>
  makeTriggers({
    all: automations.all,
    isBusy: automations.isBusy,
    lastRun: (id) => rows.runs(id, 1)[0],
    start: (id, cause) => void automations.start(id, cause),
    async rootOf(id) {
      const project = await host.projects.get(id);
      return project.ok ? project.value.root : null;
    },
    ignoredFolders: () => host.settings().ignoredFolders,
    isUnattended: (id) => host.store.sessions.get(id)?.parent !== undefined || rows.hasSession(id),
    reportBug: (error) => host.reportBug("automations", error),
    now: host.now,
  });

/** A file larger than this is no list of points, bytes. */
const heartbeatMaxBytes = 100_000;

async function readHeartbeatFile(projects: AutomationsHost["projects"], id: ProjectId): Promise<Result<TextFile>> {
  const project = await projects.get(id);
  if (!project.ok) return project;
  const path = ownerPath(heartbeatFile, "read", project.value.policy());
  return path.ok ? project.value.files.readText(path.value, heartbeatMaxBytes) : path;
}

/** Messages and ends of runs: what takes the model server. */
const isWork = (envelope: Envelope): boolean =>
  isDurable(envelope) && (envelope.event.type === "message_start" || envelope.event.type === "agent_end");
