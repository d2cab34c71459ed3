/** The memory: its files as context of new sessions, its tools, its diary, and the commands of its settings page. */
import { join } from "node:path";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import { isDurable } from "@/lib/events/event";
import type { ProjectId } from "@/lib/events/id";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import {
  diaryDay,
  generalMemoryName,
  type MemoryFileState,
  type MemoryState,
  ownerFileNames,
  projectMemoryName,
} from "@/lib/tools/memory";
import { mayHoldForeignText } from "@/server/agent/tools/read-external";
import type { SessionView } from "@/lib/view/view";
import { untilAborted } from "@/server/base/abort";
import { isLate, makeBoundedAttempts } from "@/server/base/bounded-attempts";
import type { Feature, FeatureHost } from "../feature";
import { type DiaryRun, localDay, makeDiary } from "./diary";
import { undoNote } from "./edit-notes";
import { makeMemoryFiles, type MemoryFiles } from "./memory-files";
import { makeMemorySource } from "./memory-tools";
import { findMemoryCuts, memoryShare, type MemoryNotes, type MemoryPart, renderNotes, renderOwner } from "./start-text";
import { serverLimits } from "@/lib/settings/server-limits";
import { contextEntries, contextHeadText } from "@/server/agent/context/compile";
import type { ContextInput, ContextSource, ContextText } from "@/server/agent/context/context-source";

/** Days of the diary that are sent. */
const shownDays = 3;

/** The files as far as they could be read. */
interface StartFiles {
  readonly owner: readonly MemoryPart[];
  readonly notes: MemoryNotes;
}

interface StartTexts {
  readonly owner: string | null;
  readonly notes: string | null;
}

/** A file that cannot be read has no text here; the settings page shows why. */
async function readPart(files: MemoryFiles, name: string, keep: "start" | "end"): Promise<MemoryPart> {
  const read = await files.read(name, keep);
  return read.ok ? { name, text: read.value.text, isCut: !read.value.isWhole } : { name, text: "", isCut: false };
}

/** Reads the files that a session gets at its start. */
async function readStartFiles(files: MemoryFiles, projectId: ProjectId): Promise<StartFiles> {
  const days = (await files.list()).filter((name) => diaryDay(name) !== null).slice(-shownDays);
  const [owner, project, general, diary] = await Promise.all([
    Promise.all(ownerFileNames.map((name) => readPart(files, name, "start"))),
    readPart(files, projectMemoryName(projectId), "end"),
    readPart(files, generalMemoryName, "end"),
    Promise.all(days.map((name) => readPart(files, name, "end"))),
  ]);
  return { owner, notes: { project, general, days: diary } };
}

/** Returns what a session with this window gets. */
function renderStart({ owner, notes }: StartFiles, window: number): StartTexts {
  const ownerText = renderOwner(owner, window);
  return { owner: ownerText, notes: renderNotes(notes, window, ownerText) };
}

/** The context has no message yet: a new session, or one that was rewound to its start. */
const isEmptyContext = (view: SessionView): boolean =>
  contextHeadText(view) === null && contextEntries(view).entries.length === 0;

/**
 * The memory as context of a session: given with its first message and never again, since the model itself writes what
 * changes later. A compaction repeats the text that was given. The share is of the window that is stored with the
 * model, which stays the same while the session uses the model.
 */
const memoryWindow = (view: Pick<SessionView, "model">): number => view.model?.numCtx ?? serverLimits.windowMinTokens;

/** `read` returns null while the memory is switched off. */
function memorySources(read: (projectId: ProjectId) => Promise<StartFiles | null>): readonly ContextSource[] {
  /** Both sources are prepared at once, from the same files. */
  const reading = new Map<ProjectId, Promise<StartFiles | null>>();
  const readOnce = (projectId: ProjectId): Promise<StartFiles | null> => {
    const current = reading.get(projectId) ?? read(projectId).finally(() => reading.delete(projectId));
    reading.set(projectId, current);
    return current;
  };
  const prepare =
    (part: keyof StartTexts) =>
    async (projectId: ProjectId): Promise<ContextText> => {
      const files = await readOnce(projectId);
      return ({ view }: ContextInput) =>
        files === null || !isEmptyContext(view) ? null : renderStart(files, memoryWindow(view))[part];
    };
  return [
    {
      topic: "owner",
      kind: "snapshot",
      order: { message: 3, compaction: 3 },
      resend: "when_absent",
      text: () => null,
      prepare: prepare("owner"),
    },
    {
      topic: "memory",
      kind: "snapshot",
      order: { message: 25, compaction: 15 },
      resend: "when_absent",
      text: () => null,
      prepare: prepare("notes"),
    },
  ];
}

interface MemoryHost
  extends Pick<FeatureHost, "home" | "settings" | "now" | "store" | "sessions" | "projects" | "log"> {
  readonly services: Pick<FeatureHost["services"], "catalogue">;
}

/** Window of a project without a session, tokens. */
const usualWindow = 16_384;

interface MemoryParts {
  makeFiles(folder: string): MemoryFiles;
  /** Longest wait for what the settings page shows, ms: the folder may be one of a network that does not answer. */
  readonly limitMs: number;
}

export function memoryFeature(host: MemoryHost, parts: MemoryParts = { makeFiles: makeMemoryFiles, limitMs: 2_000 }) {
  const files = parts.makeFiles(join(host.home, "memory"));
  const attempt = makeBoundedAttempts(parts.limitMs);
  /** Fails with timeout. */
  const inTime = async <T>(work: () => Promise<T>): Promise<Result<T>> => {
    const read = await attempt(files.folder, work);
    if (read.kind === "done") return ok(read.value);
    if (read.kind === "failed" && !isLate(read)) throw read.error;
    return fail("timeout", undefined, { path: files.folder, seconds: parts.limitMs / 1_000 });
  };
  const diary = makeDiary(files, host.log);
  const source = makeMemorySource({
    files,
    history: host.store.history,
    today: () => localDay(host.now()),
    isInUse: () => host.settings().memory && files.hasAny(),
  });
  const read = (projectId: ProjectId) =>
    host.settings().memory ? readStartFiles(files, projectId) : Promise.resolve(null);
  const listener: NonNullable<Feature["sessionListener"]> = {
    event(envelope) {
      if (!isDurable(envelope) || envelope.event.type !== "agent_end" || !host.settings().diary) return;
      const { at, sessionId, event } = envelope;
      const session = host.sessions.get(sessionId);
      if (!session.ok) return;
      const { view } = session.value;
      // A subagent's work is in the line of the run that started it.
      if (view.parent?.relation === "subagent") return;
      diary.add(async () => ({ view, reason: event.reason, at, ...(await readDiaryFacts(host, view)) }));
    },
  };
  return {
    commands: {
      "memory.state": ({ projectId, window = lastWindow(host, projectId) }) =>
        inTime(() => readState(files, projectId, window)),
      "memory.read": ({ file }) => inTime(() => readFileState(files, file)),
      async "memory.write"({ file, text, before }) {
        const written = await files.write(file, text, before);
        return written.ok ? ok(await readFileState(files, file)) : written;
      },
      async "memory.undo"({ file, line, replaced, replacedAt }) {
        const added = {
          line,
          ...(replaced === undefined ? {} : { replaced }),
          ...(replacedAt === undefined ? {} : { replacedAt }),
        };
        return files.edit(file, (text) => {
          const undone = undoNote(text, added);
          return undone.ok ? ok({ text: undone.value, value: null }) : undone;
        });
      },
    },
    catalogueSources: [source],
    contextSources: memorySources(read),
    sessionListener: listener,
    async start(signal) {
      await untilAborted(signal);
      await diary.written();
    },
  } satisfies Feature;
}

async function readDiaryFacts(
  { projects, services }: MemoryHost,
  view: SessionView,
): Promise<Pick<DiaryRun, "project" | "hasReadExternal">> {
  const project = await projects.get(view.projectId);
  const isTrusted = project.ok && project.value.trusted();
  const hasReadExternal = await mayHoldForeignText(view, services.catalogue(view.projectId), isTrusted);
  return { project: project.ok ? project.value.project.name : "", hasReadExternal };
}

/** The window of the project's newest session with a model. */
function lastWindow({ sessions }: MemoryHost, projectId: ProjectId): number {
  const { rows } = sessions.list({ projectId });
  const [newest] = rows.flatMap(({ id, model }) => (model === "" ? [] : [id]));
  const session = newest === undefined ? null : sessions.get(newest);
  return session?.ok === true && session.value.view.model !== null ? memoryWindow(session.value.view) : usualWindow;
}

async function readFileState(files: MemoryFiles, name: string): Promise<MemoryFileState> {
  const read = await files.read(name, "start");
  const failed = (error: AgentError): MemoryFileState => ({ name, text: "", hash: null, tokens: 0, error });
  if (!read.ok) return failed(read.error);
  const { text, hash, isWhole } = read.value;
  return isWhole ? { name, text, hash, tokens: estimateTokens(text) } : failed({ code: "too_large" });
}

async function readState(files: MemoryFiles, projectId: ProjectId, window: number): Promise<MemoryState> {
  const names = [...ownerFileNames, generalMemoryName, projectMemoryName(projectId)];
  const [states, listed, startFiles] = await Promise.all([
    Promise.all(names.map((name) => readFileState(files, name))),
    files.list(),
    readStartFiles(files, projectId),
  ]);
  const { owner, notes } = renderStart(startFiles, window);
  const counted = (text: string | null) => (text === null ? null : { text, tokens: estimateTokens(text) });
  return {
    folder: files.folder,
    files: states,
    days: listed.flatMap((name) => diaryDay(name) ?? []),
    start: {
      window,
      share: memoryShare(window),
      owner: counted(owner),
      notes: counted(notes),
      cuts: findMemoryCuts(startFiles.owner, startFiles.notes, window),
    },
  };
}
