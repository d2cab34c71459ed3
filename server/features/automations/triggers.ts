/**
 * Triggers beside the time: files that change and runs that end. A trigger starts its automation at most once in the least
 * interval; changes that come during a run of the automation, or just after it, may be its own and start nothing.
 */
import { basename, join, relative, sep } from "node:path";
import { type AutomationCause, automationMinMinutes, type AutomationRun } from "@/lib/automations/automation";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { StoredAutomation } from "@/server/store/automations";
import { makeGlob } from "@/server/workspace/search/glob";

/** A run begins this long after the first change, so that changes made together start one, ms. */
const joinMs = 2_000;
/** Changes up to this long after a run may be those of the run, ms. */
const ownChangesMs = 2_000;

interface TriggersOptions {
  all(): readonly StoredAutomation[];
  isBusy(id: string): boolean;
  lastRun(id: string): AutomationRun | undefined;
  start(id: string, cause: AutomationCause): void;
  /** Real path of the project's folder; null = it is missing. */
  rootOf(id: ProjectId): Promise<string | null>;
  /** Names of folders that are not watched. */
  ignoredFolders(): readonly string[];
  /** Whether a session belongs to a run of an automation, or is a subagent. */
  isUnattended(id: SessionId): boolean;
  reportBug(error: unknown): void;
  now(): number;
}

export interface Triggers {
  /** To be called after every change of an automation. */
  update(): void;
  /** A run of this session has ended. */
  runEnded(projectId: ProjectId, sessionId: SessionId): void;
  close(): void;
}

interface Watch {
  /** The project and the pattern it was made for. */
  readonly subject: string;
  close(): void;
}

export function makeTriggers(options: TriggersOptions): Triggers {
  const { now } = options;
  const watches = new Map<string, Watch>();
  const waiting = new Map<string, NodeJS.Timeout>();

  const fire = (id: string, cause: AutomationCause, waitMs: number): void => {
    if (waiting.has(id)) return;
    const begunAt = options.lastRun(id)?.startedAt ?? 0;
    const restMs = Math.max(waitMs, begunAt + automationMinMinutes * 60_000 - now());
    const begin = (): void => {
      waiting.delete(id);
      if (!options.isBusy(id)) options.start(id, cause);
    };
    waiting.set(id, setTimeout(begin, restMs).unref());
  };
  const fileChanged = (id: string): void => {
    const endedAt = options.lastRun(id)?.endedAt ?? 0;
    if (!options.isBusy(id) && now() - endedAt > ownChangesMs) fire(id, "files", joinMs);
  };
  const forget = (id: string): void => {
    watches.get(id)?.close();
    watches.delete(id);
    clearTimeout(waiting.get(id));
    waiting.delete(id);
  };
  return {
    update() {
      const wanted = new Map(
        options
          .all()
          .flatMap(({ id, isOn, projectId, trigger }) =>
            isOn && trigger.kind === "files" ? [[id, { projectId, glob: trigger.glob }] as const] : [],
          ),
      );
      const on = new Set(options.all().flatMap(({ id, isOn }) => (isOn ? [id] : [])));
      for (const id of new Set([...watches.keys(), ...waiting.keys()])) if (!on.has(id)) forget(id);
      for (const [id, { projectId, glob }] of wanted) {
        const subject = `${projectId} ${glob}`;
        if (watches.get(id)?.subject === subject) continue;
        forget(id);
        watches.set(id, { subject, ...watchFiles(options, { projectId, glob }, () => fileChanged(id)) });
      }
      for (const id of watches.keys()) if (!wanted.has(id)) forget(id);
    },
    runEnded(projectId, sessionId) {
      const triggered = options
        .all()
        .filter((one) => one.isOn && one.trigger.kind === "run_ended" && one.projectId === projectId);
      if (triggered.length === 0 || options.isUnattended(sessionId)) return;
      for (const { id } of triggered) fire(id, "run_ended", 0);
    },
    close() {
      for (const id of [...watches.keys(), ...waiting.keys()]) forget(id);
    },
  };
}

/** The folder that contains all files of a pattern, relative to the project; "" = the project itself. */
function fixedFolder(glob: string): string {
  const names = glob.replace(/^(?:\.?\/)+/, "").split("/");
  const first = names.findIndex((name) => /[*?[\]{}!\\]/.test(name) || name === ".." || name === "");
  return names.slice(0, first === -1 ? names.length - 1 : first).join("/");
}

function watchFiles(
  { rootOf, ignoredFolders, reportBug }: TriggersOptions,
  { projectId, glob }: { readonly projectId: ProjectId; readonly glob: string },
  changed: () => void,
): Pick<Watch, "close"> {
  const matches = makeGlob(glob);
  const closing = new AbortController();
  const begin = async (): Promise<void> => {
    const root = await rootOf(projectId);
    const { watch } = await import("chokidar");
    if (root === null || closing.signal.aborted) return;
    const ignored = new Set([".git", ...ignoredFolders()]);
    const watcher = watch(join(root, fixedFolder(glob)), {
      ignoreInitial: true,
      persistent: false,
      followSymlinks: false,
      ignored: (path) => ignored.has(basename(path)),
    });
    watcher.on("all", (_event, path) => {
      if (matches(relative(root, path).split(sep).join("/"))) changed();
    });
    // A system without watches left reports it once; the other triggers continue.
    watcher.on("error", reportBug);
    closing.signal.addEventListener("abort", () => void watcher.close().catch(reportBug), { once: true });
  };
  void begin().catch(reportBug);
  return { close: () => closing.abort() };
}
