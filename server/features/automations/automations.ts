/** The automations of this home: their changes, their starts, and what their runs mean for them. */
import {
  type Automation,
  type AutomationCause,
  type AutomationDefinition,
  automationFailuresMax,
  automationMinMinutes,
  type AutomationRule,
  automationsMax,
  type AutomationView,
  heartbeatMinMinutes,
} from "@/lib/automations/automation";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { SessionId } from "@/lib/events/id";
import { randomBytes } from "node:crypto";
import type { AutomationStore, DueRow, StoredAutomation } from "@/server/store/automations";
import type { AutomationRunner } from "./run-automation";
import { makeRunQueue, type RunQueue } from "./run-queue";
import type { Schedules } from "./schedule-times";

/** Due times that are shown. */
const shownTimes = 5;
/** Runs of an automation that are shown. */
const shownRuns = 20;

interface AutomationsOptions {
  readonly store: AutomationStore;
  readonly runner: Pick<AutomationRunner, "run">;
  readonly schedules: () => Promise<Schedules>;
  /** Fails with not_found. */
  checkProject(id: AutomationDefinition["projectId"]): Promise<Result<unknown>>;
  /** The model server on which a new session with these wishes would run. */
  hostOf(definition: AutomationDefinition): string;
  /** An automation, or a run of one, has changed. */
  changed(): void;
  /** An automation was saved or removed; called before `changed`. */
  written(): void;
  /** Failures in a row have switched it off; the session is that of the last one. */
  paused(automation: StoredAutomation, sessionId: SessionId | undefined): void;
  /** A failure of the program. */
  reportBug(error: unknown): void;
  now(): number;
}

export interface Automations extends Pick<RunQueue, "isBusy" | "stop" | "close" | "recover"> {
  all(): readonly StoredAutomation[];
  list(): Promise<readonly AutomationView[]>;
  /** See `automations.save`. */
  save(id: string | undefined, definition: AutomationDefinition): Promise<Result<Automation>>;
  switch(id: string, isOn: boolean): Result<Automation>;
  setRules(id: string, rules: readonly AutomationRule[]): Result<Automation>;
  remove(id: string): Result<null>;
  /** Its due times are stored up to this time. */
  checked(id: string, until: number): void;
  /** Runs due times whose rows are stored. */
  startDue(rows: readonly DueRow[]): void;
  /** Starts a run for another reason than the time; resolves when its session has begun. See `automations.run`. */
  start(id: string, cause: AutomationCause, data?: string): Promise<Result<{ readonly sessionId: SessionId }>>;
}

type Begun = Result<{ readonly sessionId: SessionId }>;

const rowKey = ({ automationId, scheduledFor }: Pick<DueRow, "automationId" | "scheduledFor">): string =>
  `${automationId} ${scheduledFor}`;

/** Serializes the work of an automation; a change of it needs another rehearsal. */
const workOf = (definition: AutomationDefinition): string => {
  const { prompt, projectId, model = "", connection = "", mode, looksFirst = false } = definition;
  return JSON.stringify([prompt, projectId, model, connection, mode, looksFirst]);
};

interface Start {
  readonly data: string | undefined;
  settle(begun: Begun): void;
}

/** State in memory: the automations, and the starts that wait for their session. */
interface AutomationState {
  readonly automations: Map<string, StoredAutomation>;
  readonly starts: Map<string, Start>;
  write(automation: StoredAutomation): Automation;
}

export function makeAutomations(options: AutomationsOptions): Automations {
  const { store, now, changed } = options;
  const automations = new Map(store.list().map((one) => [one.id, one]));
  const state: AutomationState = {
    automations,
    starts: new Map(),
    write(automation) {
      store.save(automation, now());
      automations.set(automation.id, automation);
      options.written();
      changed();
      return automation;
    },
  };
  const queue = makeAutomationQueue(options, state);
  return {
    isBusy: queue.isBusy,
    stop: queue.stop,
    close: queue.close,
    recover: queue.recover,
    all: () => [...automations.values()],
    async list() {
      const listed = [...automations.values()];
      const isTimed = listed.some(({ trigger }) => trigger.kind === "time");
      const schedules = isTimed ? await options.schedules() : null;
      return listed.map(({ checkedUntil: _, ...automation }) => ({
        ...automation,
        next: automation.isOn && schedules !== null ? nextTimes(automation, schedules, now()) : [],
        runs: store.runs(automation.id, shownRuns),
        skipped: store.countSkipped(automation.id),
      }));
    },
    checked(id, checkedUntil) {
      const automation = automations.get(id);
      if (automation !== undefined) automations.set(id, { ...automation, checkedUntil });
    },
    ...automationChanges(options, state, queue),
    ...automationStarts(options, state, queue),
  };
}

function makeAutomationQueue(options: AutomationsOptions, { automations, starts, write }: AutomationState): RunQueue {
  const { store, runner, now, changed } = options;
  /** By what the automations ask for. To choose a model costs half a millisecond, and many automations are due at once. */
  const hosts = new Map<string, string>();
  return makeRunQueue({
    store,
    now,
    hostOf(id) {
      const automation = automations.get(id);
      if (automation === undefined) return "";
      const wanted = JSON.stringify([automation.model, automation.connection]);
      const host = hosts.get(wanted) ?? options.hostOf(automation);
      // Models and connections change between two turns of the event loop at the earliest.
      if (hosts.size === 0) setImmediate(() => hosts.clear());
      hosts.set(wanted, host);
      return host;
    },
    missedPolicy: (id) => missedPolicy(automations.get(id)),
    reportBug: options.reportBug,
    async run(row, storeSession, signal) {
      const automation = automations.get(row.automationId);
      if (automation === undefined) return { outcome: "stopped" };
      const start = starts.get(rowKey(row));
      const began = (sessionId: SessionId): void => {
        storeSession(sessionId);
        const current = automations.get(row.automationId);
        if (row.cause === "rehearsal" && current !== undefined) write({ ...current, rehearsal: { sessionId } });
        start?.settle(ok({ sessionId }));
        changed();
      };
      return runner.run({ automation, row, began, ...(start?.data === undefined ? {} : { data: start.data }) }, signal);
    },
    ended(row) {
      const start = starts.get(rowKey(row));
      starts.delete(rowKey(row));
      start?.settle({ ok: false, error: row.error ?? missingSessionError(row) });
      const automation = automations.get(row.automationId);
      const after = automation === undefined ? undefined : afterRun(automation, row);
      if (after === undefined || after === automation) changed();
      else write(after);
      if (automation?.isOn === true && after?.isOn === false) options.paused(after, row.sessionId);
    },
  });
}

function automationChanges(
  options: AutomationsOptions,
  { automations, write }: AutomationState,
  queue: Pick<RunQueue, "stop">,
): Pick<Automations, "save" | "switch" | "setRules" | "remove"> {
  const { store, now, changed } = options;
  const update = (id: string, change: (one: StoredAutomation) => StoredAutomation): Result<Automation> => {
    const automation = automations.get(id);
    return automation === undefined ? fail("not_found") : ok(write(change(automation)));
  };
  return {
    async save(id, definition) {
      const { trigger, projectId, name, looksFirst } = definition;
      const project = await options.checkProject(projectId);
      if (!project.ok) return project;
      const times =
        trigger.kind === "time"
          ? (await options.schedules()).check(trigger, looksFirst === true ? heartbeatMinMinutes : automationMinMinutes)
          : ok(null);
      if (!times.ok) return times;
      const existing = id === undefined ? undefined : automations.get(id);
      if (id !== undefined && existing === undefined) return fail("not_found");
      if (existing === undefined && automations.size >= automationsMax)
        return fail("too_many", undefined, { limit: automationsMax });
      const other = [...automations.values()].find((one) => one.name === name && one.id !== id);
      if (other !== undefined) return fail("exists");
      return ok(write(toStored(existing, definition, now())));
    },
    switch(id, isOn) {
      const isRehearsed = automations.get(id)?.rehearsal?.outcome === "done";
      if (isOn && automations.has(id) && !isRehearsed) return fail("not_approved");
      return update(id, (one) => ({ ...one, isOn, failures: isOn ? 0 : one.failures, checkedUntil: now() }));
    },
    setRules: (id, rules) => update(id, (one) => ({ ...one, rules })),
    remove(id) {
      if (!automations.delete(id)) return fail("not_found");
      queue.stop(id);
      store.remove(id);
      options.written();
      changed();
      return ok(null);
    },
  };
}

function automationStarts(
  { store, now, changed }: AutomationsOptions,
  { automations, starts }: AutomationState,
  queue: Pick<RunQueue, "add" | "isBusy">,
): Pick<Automations, "start" | "startDue"> {
  /** Two starts in the same millisecond have rows of their own. */
  const addRow = (automationId: string, cause: AutomationCause): DueRow => {
    for (let scheduledFor = now(); ; scheduledFor += 1) {
      const [row] = store.addDue([{ automationId, scheduledFor, cause }], new Map());
      if (row !== undefined) return row;
    }
  };
  return {
    startDue(rows) {
      for (const row of rows) queue.add(row);
      changed();
    },
    async start(id, cause, data) {
      const automation = automations.get(id);
      if (automation === undefined) return fail("not_found");
      if (cause !== "rehearsal" && automation.rehearsal?.outcome !== "done") return fail("not_approved");
      if (queue.isBusy(id)) return fail("busy");
      const row = addRow(id, cause);
      return new Promise((settle) => {
        starts.set(rowKey(row), { data, settle });
        queue.add(row);
        changed();
      });
    },
  };
}

/** Why a run has ended without a session. */
const missingSessionError = ({ outcome }: DueRow): AgentError => {
  if (outcome === "skipped") return { code: "no_change" };
  return { code: outcome === "stopped" ? "aborted" : "interrupted" };
};

const missedPolicy = (automation: AutomationDefinition | undefined): "run" | "skip" =>
  automation?.trigger.kind === "time" ? automation.trigger.missed : "skip";

function toStored(
  existing: StoredAutomation | undefined,
  definition: AutomationDefinition,
  now: number,
): StoredAutomation {
  if (existing === undefined) {
    const id = `auto${randomBytes(6).toString("hex")}`;
    return { ...definition, id, isOn: false, rules: [], failures: 0, checkedUntil: now };
  }
  const { id, isOn, rules, failures, rehearsal } = existing;
  const isSame = workOf(existing) === workOf(definition);
  return {
    ...definition,
    id,
    // Rules were made for a project and what was done there.
    rules: existing.projectId === definition.projectId ? rules : [],
    isOn: isOn && isSame,
    failures,
    checkedUntil: now,
    ...(isSame && rehearsal !== undefined ? { rehearsal } : {}),
  };
}

function nextTimes({ trigger }: AutomationDefinition, schedules: Schedules, now: number): readonly number[] {
  const times = trigger.kind === "time" ? schedules.read(trigger) : null;
  return times?.ok === true ? firstTimes(times.value, now) : [];
}

/** The next due times after `now`, at most five. */
export function firstTimes({ next }: { next(after: number): number | null }, now: number): readonly number[] {
  const found: number[] = [];
  for (let at = next(now); at !== null && found.length < shownTimes; at = next(at)) found.push(at);
  return found;
}

/** Applies the end of a run: the state of the rehearsal, the failures in a row, and the pause after too many. */
function afterRun(automation: StoredAutomation, { cause, outcome, sessionId }: DueRow): StoredAutomation {
  if (cause === "rehearsal")
    return sessionId === undefined || sessionId !== automation.rehearsal?.sessionId || outcome === undefined
      ? automation
      : { ...automation, rehearsal: { sessionId, outcome } };
  if (outcome === "done" || outcome === "quiet")
    return automation.failures === 0 ? automation : { ...automation, failures: 0 };
  if (outcome !== "failed" && outcome !== "limit") return automation;
  const failures = automation.failures + 1;
  return { ...automation, failures, isOn: automation.isOn && failures < automationFailuresMax };
}
