/** The newest result of each eval task and model, with the session as text. Loaded late. */
import type Database from "better-sqlite3";
import { desc, eq } from "drizzle-orm";
import * as z from "zod/mini";
import { type EvalModel, type EvalResult, isSameEvalModel } from "@/lib/evals/evals";
import { parseJson } from "@/server/base/parse-json";
import { makeErrorSchema } from "../core/error-shape";
import { makeQueries } from "../core/typed-database";
import { evalResults } from "../schema";

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

export function createEvalResults(database: Database.Database): EvalResultStore {
  const query = makeQueries(database);
  return {
    list: () =>
      query((db) => db.select().from(evalResults).orderBy(evalResults.at, evalResults.task).all()).flatMap((row) => {
        const result = readResult(row.result);
        return result === null ? [] : [{ key: row.modelKey, result }];
      }),
    write({ key, result }, transcript) {
      const { task, at } = result;
      const set = { result: JSON.stringify(result), transcript, at };
      query((db) =>
        db
          .insert(evalResults)
          .values({ modelKey: key, task, ...set })
          .onConflictDoUpdate({ target: [evalResults.modelKey, evalResults.task], set })
          .run(),
      );
    },
    transcript: (model, task) =>
      query((db) =>
        db.select().from(evalResults).where(eq(evalResults.task, task)).orderBy(desc(evalResults.at)).all(),
      ).find((row) => {
        const result = readResult(row.result);
        return result !== null && isSameEvalModel(result.model, model);
      })?.transcript,
  };
}

function readResult(text: string): EvalResult | null {
  const read = resultSchema.safeParse(parseJson(text));
  return read.success ? read.data : null;
}

const resultSchema: z.ZodMiniType<EvalResult> = z.object({
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
      error: z.exactOptional(makeErrorSchema()),
    }),
  ),
});
