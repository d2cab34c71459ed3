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
import { memorySources, memoryWindow } from "./memory-sources";
import { makeMemorySource } from "./memory-tools";
import { readStartFiles, renderStart } from "./read-start";
import { findMemoryCuts, memoryShare } from "./start-text";

interface MemoryHost
  extends Pick<FeatureHost, "home" | "settings" | "now" | "store" | "sessions" | "projects" | "log"> {
  readonly services: Pick<FeatureHost["services"], "catalogue">;
}

/** Of a project without a session. Tokens. */
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
