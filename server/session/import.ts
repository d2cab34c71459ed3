/**
 * Imports sessions from a file: Gopi's JSONL (ours or the original) or pi's. They get new ids and nothing is left open;
 * modes, pending approvals and file states in a file give no rights here.
 */
import { ok, type Result } from "@/lib/error";
import type { DurableEnvelope, DurableEvent } from "@/lib/event";
import { foldLog } from "@/lib/fold";
import { asId, type CommandId, type ProjectId, type SessionId } from "@/lib/id";
import type { SessionRow } from "@/lib/session-row";
import { limits } from "@/lib/settings";
import { emptyView, pathOf, type SessionView } from "@/lib/view";
import { closeCalls, closeMessages, closeOutside, closeRun } from "../agent/ends";
import { hashOf } from "../base/id";
import { isEventShape } from "../store/event-shape";
import type { EventRow, NewSession } from "../store/events";
import type { Store } from "../store/open-store";
import { hasEvents, type Imported, type ImportTarget, readGopi } from "./import-gopi";
import { badLine, filesOf, type ImportFile, linesOf, SlicedWork } from "./import-lines";
import { readPi } from "./import-pi";
import { readPlain } from "./import-plain";
import { viewWith } from "./load";
import { statusOf } from "./row";
import { titleOf } from "./title";

export interface ImportInput {
  readonly projectId: ProjectId;
  /** The project's folder. */
  readonly root: string;
  readonly commandId: CommandId;
  /** Name of the file: title of a session that has neither a title nor a prompt. */
  readonly name: string;
  readonly text: string;
}

/**
 * Imports the whole file or nothing; repeated with the same commandId it returns the same sessions. Fails with
 * bad_import and its line. Throws StoreError.
 */
export async function importSessions(
  { store, now }: { readonly store: Store; now(): number },
  input: ImportInput,
): Promise<Result<readonly SessionRow[]>> {
  const lines = await linesOf(input.text);
  const files = lines.ok ? filesOf(lines.value) : lines;
  if (!files.ok) return files;
  const target: ImportTarget = {
    start: { type: "session_start", projectId: input.projectId, cwd: input.root, imported: true },
    now: now(),
    putBlob: (bytes) => store.blobs.put(bytes),
    hasBlob: (id) => store.blobs.has(id),
  };
  const made: Made[] = [];
  for (const [index, file] of files.value.entries()) {
    const id = asId<SessionId>(`s${hashOf(`import ${input.commandId} ${index}`).slice(0, 24)}`);
    const imported = await read(file, target);
    if (!imported.ok) return imported;
    const whole = await closed(id, imported.value, input.name);
    if (whole === null) return badLine(file.header.line, "events that do not fit together");
    made.push({ id, ...whole });
  }
  await create(store, made);
  return ok(made.flatMap(({ id }) => store.sessions.get(id) ?? []));
}

interface Made {
  readonly id: SessionId;
  readonly imported: Imported;
  readonly view: SessionView;
}

async function read(file: ImportFile, target: ImportTarget): Promise<Result<Imported>> {
  try {
    if (file.format === "pi") return await readPi(file, target);
    return hasEvents(file) ? await readGopi(file, target) : await readPlain(file, target);
  } catch (thrown) {
    // A value nested too deeply to traverse.
    if (thrown instanceof RangeError) return badLine(file.header.line, "nested too deep");
    throw thrown;
  }
}

/** Adds the ends of what is open, and the view of all rows; null = the rows cannot be folded. */
async function closed(
  id: SessionId,
  imported: Imported,
  name: string,
): Promise<{ readonly imported: Imported; readonly view: SessionView } | null> {
  const view = await foldedRows(id, imported.rows);
  if (view === null) return null;
  const last = imported.rows.at(-1);
  if (last === undefined) return null;
  const ends = endsOf(view, imported.title, name);
  const rows = ends.map((event, index): EventRow => ({ seq: last.seq + 1 + index, at: last.at, event }));
  return { imported: { ...imported, rows: [...imported.rows, ...rows] }, view: viewWith(view, last.at, ends) };
}

/** View of the rows as they will be read from the store; null = a row could not be read again or does not fit. */
async function foldedRows(id: SessionId, rows: readonly EventRow[]): Promise<SessionView | null> {
  const work = new SlicedWork();
  let view = emptyView(id);
  let batch: DurableEnvelope[] = [];
  try {
    for (const { seq, at, event } of rows) {
      const json = JSON.stringify(event);
      if (!isEventShape(JSON.parse(json))) return null;
      batch.push({ v: 1, sessionId: id, seq, at, event });
      if (!work.spend(json.length)) continue;
      view = foldLog(view, batch);
      batch = [];
      await work.pause();
    }
    return foldLog(view, batch);
  } catch {
    return null;
  }
}

function endsOf(view: SessionView, title: string, name: string): readonly DurableEvent[] {
  const how = { reason: "interrupted" as const };
  const named =
    view.title === "" ? (title || firstPromptTitle(view) || nameOf(name)).slice(0, limits.titleMaxChars) : "";
  // Only the user grants extended permissions, never a file.
  const isTrusting = view.mode === "full" || view.mode === "edits";
  return [
    ...(view.run === null
      ? [...closeMessages(view, how), ...closeCalls(view, how, () => true), ...closeOutside(view, how)]
      : closeRun(view, how)),
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
  for (const entry of pathOf(view)) {
    if (entry.kind !== "message" || entry.role !== "user") continue;
    const title = titleOf(entry.blocks.map((block) => (block.type === "text" ? block.text : "")).join("\n"));
    if (title !== "") return title;
  }
  return "";
}

/** File name without folders and extension. */
const nameOf = (name: string): string => name.replace(/^.*[\\/]/, "").replace(/\.jsonl?$/i, "");

/** Writes the rows in slices, then publishes all sessions at once: an interrupted import leaves nothing. */
const create = ({ staged, sessions }: Store, made: readonly Made[]): Promise<void> =>
  staged.write(async ({ write, publish }) => {
    // A concurrent import with the same commandId may have finished first.
    const missing = made.filter(({ id }) => sessions.get(id) === undefined);
    for (const { id, imported } of missing) for await (const rows of slicesOf(imported.rows)) write(id, rows);
    publish(missing.map((one) => ({ session: sessionOf(one), lastSeq: one.imported.rows.length })));
  });

/** Most rows of one transaction. */
const sliceRows = 500;

async function* slicesOf(rows: readonly EventRow[]): AsyncGenerator<readonly EventRow[]> {
  const work = new SlicedWork();
  let slice: EventRow[] = [];
  for (const row of rows) {
    slice.push(row);
    if (!work.spend(sizeOf(row.event)) && slice.length < sliceRows) continue;
    yield slice;
    slice = [];
    await work.pause();
  }
  if (slice.length > 0) yield slice;
}

/** Characters of an event; only messages and results are large. */
function sizeOf(event: DurableEvent): number {
  const blocks = event.type === "message_end" ? event.blocks : event.type === "tool_call_end" ? event.output : [];
  return blocks.reduce((sum, block) => sum + ("text" in block ? block.text.length : 0), 0);
}

function sessionOf({ id, imported, view }: Made): NewSession {
  const { projectId, cwd, title, mode, added, removed, createdAt, updatedAt } = view;
  const model = view.model?.model ?? imported.model;
  return { id, projectId, cwd, title, status: statusOf(view), mode, model, createdAt, updatedAt, added, removed };
}
