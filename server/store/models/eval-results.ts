/** The newest result of each eval task and model, with the session as text. */
import type Database from "better-sqlite3";
import * as z from "zod/mini";
import { type EvalModel, type EvalResult, isSameEvalModel } from "@/lib/evals/evals";
import { parseJson } from "@/server/base/parse-json";
import { withStoreErrors } from "../core/store-error";
import { makeErrorSchema } from "../core/error-shape";

interface StoredEvalResult {
  /** Key of the model's note when the task ran. */
  readonly key: string;
  readonly result: EvalResult;
}

/** Throws StoreError. */
export interface EvalResultStore {
  /** All results, oldest first; invalid ones are left out. */
  list(): readonly StoredEvalResult[];
  /** Replaces the result of the same task and key. */
  write(stored: StoredEvalResult, transcript: string): void;
  /** The session of the newest result; undefined = none. */
  transcript(model: EvalModel, task: string): string | undefined;
}

interface ResultRecord {
  readonly model_key: string;
  readonly result: string;
  readonly transcript: string;
}

export const createEvalResults = (database: Database.Database): EvalResultStore => ({
  list: () =>
    withStoreErrors(database.name, () => {
      const rows = database
        .prepare<[], Omit<ResultRecord, "transcript">>("SELECT model_key, result FROM eval_results ORDER BY at, task")
        .all();
      return rows.flatMap((row) => {
        const result = readResult(row.result);
        return result === null ? [] : [{ key: row.model_key, result }];
      });
    }),
  write: ({ key, result }, transcript) =>
    withStoreErrors(database.name, () => {
      const upsert = database.prepare<[string, string, string, string, number]>(
        `INSERT INTO eval_results (model_key, task, result, transcript, at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET result = excluded.result, transcript = excluded.transcript, at = excluded.at`,
      );
      upsert.run(key, result.task, JSON.stringify(result), transcript, result.at);
    }),
  transcript: (model, task) =>
    withStoreErrors(database.name, () => {
      const rows = database
        .prepare<[string], Omit<ResultRecord, "model_key">>(
          "SELECT result, transcript FROM eval_results WHERE task = ? ORDER BY at DESC",
        )
        .all(task);
      const found = rows.find((row) => {
        const result = readResult(row.result);
        return result !== null && isSameEvalModel(result.model, model);
      });
      return found?.transcript;
    }),
});

/** Created on first use, not at start. */
let cachedSchema: z.ZodMiniType<EvalResult> | undefined;

function readResult(text: string): EvalResult | null {
  const read = (cachedSchema ??= makeResultSchema()).safeParse(parseJson(text));
  return read.success ? read.data : null;
}

function makeResultSchema(): z.ZodMiniType<EvalResult> {
  const error = makeErrorSchema();
  return z.object({
    model: z.object({ name: z.string(), connection: z.exactOptional(z.string()) }),
    task: z.string(),
    at: z.number(),
    steps: z.number(),
    promptTokens: z.number(),
    outputTokens: z.number(),
    tookMs: z.number(),
    slips: z.object({
      textCalls: z.number(),
      repairedCalls: z.number(),
      looseEdits: z.number(),
      retries: z.number(),
    }),
    failure: z.exactOptional(
      z.object({
        why: z.enum(["check", "files", "answer", "time", "steps", "error"]),
        detail: z.exactOptional(z.string()),
        error: z.exactOptional(error),
      }),
    ),
  });
}
