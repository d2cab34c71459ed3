/**
 * Imports sessions from a file: Gopi's JSONL (ours or the original), pi's, or that of another agent. They get new ids and nothing is left open;
 * modes, pending approvals and file states in a file give no rights here.
 */
import { ok, type Result } from "@/lib/events/error";
import type { DurableEnvelope, DurableEvent } from "@/lib/events/event";
import { foldLog } from "@/lib/view/fold";
import { asId, type CommandId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { CommandOutput } from "@/lib/protocol/command";
import { limits } from "@/lib/settings/settings";
import { emptyView, pathEntries, type SessionView } from "@/lib/view/view";
import { closeWorkflow } from "@/lib/workflows/workflow-run";
import { closeCalls, closeMessages, closeCompactionOutsideRun, closeRun } from "@/server/agent/loop/close-run";
import { computeHash } from "@/server/base/id";
import { beginTimeSlice } from "@/server/base/steps";
import { isEventShape } from "@/server/store/sessions/event-shape";
import type { EventRow, NewSession } from "@/server/store/sessions/events";
import type { Store } from "@/server/store/open-store";
import { convertForeignLines } from "./foreign-lines";
import { hasEvents, type ImportedSession, type ImportTarget, importGopi } from "./import-gopi";
import { badLine, groupByHeader, type ImportFile, parseLines } from "./import-lines";
import { importPi } from "./import-pi";
import { importPlain } from "./import-plain";
import { appendToView } from "../loading/load";
import { planProgress, sessionStatus } from "../core/session-row";
import { promptTitle } from "../core/prompt-title";

interface ImportInput {
  readonly projectId: ProjectId;
  /** The project's folder. */
  readonly root: string;
  readonly commandId: CommandId;
  /** Name of the file: title of a session that has neither a title nor a prompt. */
  readonly name: string;
  readonly text: string;
}

type ImportAnswer = CommandOutput<"session.import">;

/**
 * Imports the whole file or nothing; repeated with the same commandId it returns the same sessions. Fails with
 * bad_import and its line. Throws StoreError.
 */
export async function importSessions(
  { store, now }: { readonly store: Store; now(): number },
  input: ImportInput,
): Promise<Result<ImportAnswer>> {
  const lines = await parseLines(input.text);
  const files = lines.ok ? groupByHeader((await convertForeignLines(lines.value)) ?? lines.value) : lines;
  if (!files.ok) return files;
  const target: ImportTarget = {
    start: { type: "session_start", projectId: input.projectId, cwd: input.root, imported: true },
    now: now(),
    putBlob: (bytes) => store.blobs.put(bytes),
    hasBlob: (id) => store.blobs.has(id),
  };
  const prepared: PreparedImport[] = [];
  for (const [index, file] of files.value.entries()) {
    const id = asId<SessionId>(`s${computeHash(`import ${input.commandId} ${index}`).slice(0, 24)}`);
    const imported = await importFile(file, target);
    if (!imported.ok) return imported;
    const whole = await closeImport(id, imported.value, input.name);
    if (whole === null) return badLine(file.header.line, "events that do not fit together");
    prepared.push({ id, ...whole });
  }
  await storeImports(store, prepared);
  return ok({
    rows: prepared.flatMap(({ id }) => store.sessions.get(id) ?? []),
    droppedPins: prepared.reduce((sum, { imported: { droppedPins = 0 } }) => sum + droppedPins, 0),
  });
}

interface PreparedImport {
  readonly id: SessionId;
  readonly imported: ImportedSession;
  readonly view: SessionView;
}

async function importFile(file: ImportFile, target: ImportTarget): Promise<Result<ImportedSession>> {
  try {
    if (file.format === "pi") return await importPi(file, target);
    return hasEvents(file) ? await importGopi(file, target) : await importPlain(file, target);
  } catch (thrown) {
    // A value nested too deeply to traverse.
    if (thrown instanceof RangeError) return badLine(file.header.line, "nested too deep");
    throw thrown;
  }
}

/** Adds events that end open runs and calls, and the view of all rows; null = the rows cannot be folded. */
async function closeImport(
  id: SessionId,
  imported: ImportedSession,
  name: string,
): Promise<{ readonly imported: ImportedSession; readonly view: SessionView } | null> {
  const view = await foldRows(id, imported.rows);
  if (view === null) return null;
  const last = imported.rows.at(-1);
  if (last === undefined) return null;
  const ends = importEnds(view, imported.title, name);
  const rows = ends.map((event, index): EventRow => ({ seq: last.seq + 1 + index, at: last.at, event }));
  return { imported: { ...imported, rows: [...imported.rows, ...rows] }, view: appendToView(view, last.at, ends) };
}

/** View of the rows as they will be read from the store; null = a row could not be read again or does not fit. */
async function foldRows(id: SessionId, rows: readonly EventRow[]): Promise<SessionView | null> {
  const turn = beginTimeSlice();
  let view = emptyView(id);
  let batch: DurableEnvelope[] = [];
  try {
    for (const { seq, at, event } of rows) {
      const json = JSON.stringify(event);
      if (!isEventShape(JSON.parse(json))) return null;
      batch.push({ v: 1, sessionId: id, seq, at, event });
      if (!turn.isOver()) continue;
      view = foldLog(view, batch);
      batch = [];
      await turn.next();
    }
    return foldLog(view, batch);
  } catch {
    return null;
  }
}

function importEnds(view: SessionView, title: string, name: string): readonly DurableEvent[] {
  const interruption = { reason: "interrupted" as const };
  const named =
    view.title === "" ? (title || firstPromptTitle(view) || baseName(name)).slice(0, limits.titleMaxChars) : "";
  // Only the user grants extended permissions, never a file.
  const isTrusting = view.mode === "full" || view.mode === "edits";
  return [
    ...(view.run === null
      ? [
          ...closeMessages(view, interruption),
          ...closeCalls(view, interruption, () => true),
          ...closeCompactionOutsideRun(view, interruption),
        ]
      : closeRun(view, interruption)),
    ...closeWorkflow(view.workflow, "interrupted"),
    ...(view.queue.length === 0 ? [] : [{ type: "queue_change" as const, queued: [] }]),
    ...(isTrusting || named !== ""
      ? [
          {
            type: "session_update" as const,
            ...(named === "" ? {} : { title: named }),
            ...(isTrusting ? { mode: "ask" as const } : {}),
          },
        ]
      : []),
  ];
}

function firstPromptTitle(view: SessionView): string {
  for (const entry of pathEntries(view)) {
    if (entry.kind !== "message" || entry.role !== "user") continue;
    const title = promptTitle(entry.blocks.map((block) => (block.type === "text" ? block.text : "")).join("\n"));
    if (title !== "") return title;
  }
  return "";
}

/** File name without folders and extension. */
const baseName = (name: string): string => name.replace(/^.*[\\/]/, "").replace(/\.jsonl?$/i, "");

/** Writes the rows in slices, then publishes all sessions at once: an interrupted import leaves nothing. */
const storeImports = ({ staged, sessions }: Store, prepared: readonly PreparedImport[]): Promise<void> =>
  staged.write(async ({ write, publish }) => {
    // A concurrent import with the same commandId may have finished first.
    const missing = prepared.filter(({ id }) => sessions.get(id) === undefined);
    for (const { id, imported } of missing) for await (const rows of rowSlices(imported.rows)) write(id, rows);
    publish(missing.map((one) => ({ session: toNewSession(one), lastSeq: one.imported.rows.length })));
  });

/** Most rows of one transaction, and characters of its texts. */
const transactionLimits = { rows: 250, chars: 128_000 };

async function* rowSlices(rows: readonly EventRow[]): AsyncGenerator<readonly EventRow[]> {
  const turn = beginTimeSlice();
  let slice: EventRow[] = [];
  let chars = 0;
  for (const row of rows) {
    slice.push(row);
    chars += eventChars(row.event);
    if (slice.length < transactionLimits.rows && chars < transactionLimits.chars) continue;
    yield slice;
    slice = [];
    chars = 0;
    await turn.next();
  }
  if (slice.length > 0) yield slice;
}

/** Characters of an event; only messages and results are large. */
function eventChars(event: DurableEvent): number {
  const blocks = event.type === "message_end" ? event.blocks : event.type === "tool_call_end" ? event.output : [];
  return blocks.reduce((sum, block) => sum + ("text" in block ? block.text.length : 0), 0);
}

function toNewSession({ id, imported, view }: PreparedImport): NewSession {
  const { projectId, cwd, title, mode, added, removed, createdAt, updatedAt } = view;
  const model = view.model?.model ?? imported.model;
  const plan = planProgress(view);
  const status = sessionStatus(view);
  const dated = { createdAt, updatedAt };
  return { id, projectId, cwd, title, status, mode, model, ...dated, added, removed, ...(plan !== null && { plan }) };
}
