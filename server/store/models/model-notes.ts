/** Measurements of models, stored by digest or name. */
import type Database from "better-sqlite3";
import * as z from "zod/mini";
import { type DoctorReport, doctorSteps, type ModelNote } from "@/lib/models/models";
import { scripts } from "@/lib/text/estimate-tokens";
import { parseJson } from "@/server/base/parse-json";
import { withStoreErrors } from "../core/store-error";
import { makeErrorSchema } from "../core/error-shape";

/** A window at which part of a model was placed on the CPU, and the GPU memory used then. */
interface GpuSpill {
  /** tokens */
  readonly tokens: number;
  readonly gpuBytes: number;
}

interface StoredModelNote {
  readonly note: ModelNote;
  readonly spill?: GpuSpill;
}

/** Throws StoreError. */
export interface ModelNoteStore {
  /** All notes by key; invalid values are omitted. */
  read(): ReadonlyMap<string, StoredModelNote>;
  write(key: string, record: StoredModelNote): void;
}

interface NoteRecord {
  readonly key: string;
  readonly note: string;
  readonly spill: string | null;
}

export const createModelNotes = (database: Database.Database, now: () => number): ModelNoteStore => {
  const upsertText = `INSERT INTO model_notes (key, note, spill, updated_at) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET note = excluded.note, spill = excluded.spill, updated_at = excluded.updated_at`;
  return {
    read: () =>
      withStoreErrors(database.name, () => {
        const rows = database.prepare<[], NoteRecord>("SELECT key, note, spill FROM model_notes").all();
        return new Map(rows.map((row) => [row.key, noteFromRecord(row)]));
      }),
    write: (key, { note, spill }) =>
      withStoreErrors(database.name, () => {
        const upsert = database.prepare<[string, string, string | null, number]>(upsertText);
        upsert.run(key, JSON.stringify(note), spill === undefined ? null : JSON.stringify(spill), now());
      }),
  };
};

function noteFromRecord({ note, spill }: NoteRecord): StoredModelNote {
  const read = schemas().note.safeParse(parseJson(note));
  const spilled = schemas().spill.safeParse(parseJson(spill ?? "null"));
  return { note: read.success ? withoutUndefined(read.data) : {}, ...(spilled.success ? { spill: spilled.data } : {}) };
}

/** Makes an invalid value undefined instead of failing the whole note. */
const lenient = <S extends z.ZodMiniType>(schema: S) => z.catch(z.optional(schema), undefined);
/** Created on first use, not at start. */
let cachedSchemas: ReturnType<typeof makeSchemas> | undefined;
const schemas = () => (cachedSchemas ??= makeSchemas());

function makeSchemas() {
  const modes = z.enum(["native", "react", "xml"]);
  const positive = lenient(z.number().check(z.gt(0)));
  const doctorSchema: z.ZodMiniType<DoctorReport> = z.object({
    model: z.string(),
    at: z.number(),
    tookMs: z.number(),
    steps: z.array(
      z.object({
        step: z.enum(doctorSteps),
        state: z.enum(["waiting", "running", "ok", "weak", "failed", "skipped"]),
        ms: z.exactOptional(z.number()),
        facts: z.exactOptional(z.record(z.string(), z.union([z.number(), z.string(), z.boolean()]))),
        error: z.exactOptional(makeErrorSchema()),
      }),
    ),
    verdict: z.enum(["agent", "helper", "chat", "unusable"]),
    toolMode: modes,
    readPerSecond: z.number(),
    writePerSecond: z.number(),
    numCtx: z.number(),
  });
  const noteSchema = z.object({
    toolMode: lenient(z.object({ mode: modes, by: z.enum(["server", "user"]) })),
    numCtx: positive,
    profile: lenient(z.enum(["small", "default", "full"])),
    readPerSecond: positive,
    writePerSecond: positive,
    loadMs: positive,
    tokenRatio: positive,
    tokenScale: lenient(
      z.partialRecord(
        z.enum(scripts),
        z.object({ ratio: z.number().check(z.gt(0)), spread: z.number().check(z.gt(0)) }),
      ),
    ),
    history: lenient(
      z.object({
        reasoning: z.exactOptional(z.enum(["preserve", "require", "drop"])),
        callIds: z.exactOptional(z.enum(["kimi", "nine"])),
      }),
    ),
    lateSplit: lenient(z.enum(["rest", "all"])),
    doctor: lenient(doctorSchema),
  });
  const spillSchema = z.object({ tokens: z.number(), gpuBytes: z.number() });
  return { note: noteSchema, spill: spillSchema };
}

/** Removes undefined fields. */
function withoutUndefined({
  toolMode,
  numCtx,
  profile,
  readPerSecond,
  writePerSecond,
  loadMs,
  tokenRatio,
  tokenScale,
  history,
  lateSplit,
  doctor,
}: z.infer<ReturnType<typeof makeSchemas>["note"]>): ModelNote {
  return {
    ...(toolMode && { toolMode }),
    ...(numCtx && { numCtx }),
    ...(profile && { profile }),
    ...(readPerSecond && { readPerSecond }),
    ...(writePerSecond && { writePerSecond }),
    ...(loadMs && { loadMs }),
    ...(tokenRatio && { tokenRatio }),
    ...(tokenScale && { tokenScale }),
    ...(history && { history }),
    ...(lateSplit && { lateSplit }),
    ...(doctor && { doctor }),
  };
}
