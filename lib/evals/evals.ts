/** Evals: small coding tasks that models solve on this machine, and their results. JSON-serialisable. */
import type { AgentError } from "../events/error";

/** A task as shown to the user; its files and its check stay in the server. */
export interface EvalTaskInfo {
  /** Name of its file without `.yaml`. */
  readonly id: string;
  /** English, or the language of its author. */
  readonly title: string;
  /** Titles in other languages, by language. */
  readonly titles: Readonly<Record<string, string>>;
  readonly prompt: string;
  /** Comes with the program, or is a file of the user. */
  readonly source: "built-in" | "user";
}

/** A task file that cannot be used. */
export interface EvalTaskProblem {
  /** Path of the file. */
  readonly file: string;
  /** The field, such as `check.run`; empty = the file itself. */
  readonly field: string;
  /** One sentence in English, without a period. */
  readonly detail: string;
}

/** A model as the user chooses it; without a connection it is a model of Ollama. */
export interface EvalModel {
  readonly name: string;
  readonly connection?: string;
}

/** Repairs by the program while the model worked. */
export interface EvalSlips {
  /** Calls the model wrote into its text. */
  readonly textCalls: number;
  /** Calls with repaired arguments. */
  readonly repairedCalls: number;
  /** Edits that matched only after a step of the matching ladder. */
  readonly looseEdits: number;
  /** Repeated requests. */
  readonly retries: number;
}

/**
 * Why a task is not solved. check = its program failed; files = a file is not as expected; answer = the answer lacks a
 * text; time, steps = limits; error = the run ended with one.
 */
export interface EvalFailure {
  readonly why: "check" | "files" | "answer" | "time" | "steps" | "error";
  /** Output of the program, the file or the missing text. */
  readonly detail?: string;
  readonly error?: AgentError;
}

/** Result of one task with one model. */
export interface EvalResult {
  readonly model: EvalModel;
  readonly task: string;
  /** Time of its end, ms epoch. */
  readonly at: number;
  /** Requests to the model. */
  readonly steps: number;
  /** Sums over all requests. */
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly tookMs: number;
  readonly slips: EvalSlips;
  /** Absent = solved. */
  readonly failure?: EvalFailure;
}

/** A model whose remaining tasks were left out, because its server failed. */
interface EvalModelProblem {
  readonly model: EvalModel;
  readonly error: AgentError;
}

/** Progress of a run: all tasks with the first model, then with the next. */
export interface EvalRun {
  readonly models: readonly EvalModel[];
  /** Ids in the order in which they run. */
  readonly tasks: readonly string[];
  readonly results: readonly EvalResult[];
  readonly problems: readonly EvalModelProblem[];
  /** Task that runs now; null = the run has ended. */
  readonly current: { readonly model: EvalModel; readonly task: string; readonly startedAt: number } | null;
  /** The user stopped it. */
  readonly isStopped: boolean;
}

/** Data of the page: the tasks, the newest stored results and the run of this server. */
export interface EvalOverview {
  readonly tasks: readonly EvalTaskInfo[];
  readonly problems: readonly EvalTaskProblem[];
  /** Folder for the user's own tasks. */
  readonly folder: string;
  /** Programs that a model starts are confined by the operating system's sandbox. */
  readonly isSandboxed: boolean;
  readonly results: readonly EvalResult[];
  readonly run: EvalRun | null;
}

export const isSameEvalModel = (one: EvalModel, other: EvalModel): boolean =>
  one.name === other.name && one.connection === other.connection;

/** Totals of one model over tasks. */
interface EvalTotals {
  readonly solved: number;
  readonly tasks: number;
  readonly steps: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly tookMs: number;
  readonly slips: number;
}

export const countSlips = ({ textCalls, repairedCalls, looseEdits, retries }: EvalSlips): number =>
  textCalls + repairedCalls + looseEdits + retries;

export function sumEvalResults(results: readonly EvalResult[]): EvalTotals {
  const sum = (value: (result: EvalResult) => number): number => results.reduce((all, one) => all + value(one), 0);
  return {
    solved: results.filter(({ failure }) => failure === undefined).length,
    tasks: results.length,
    steps: sum(({ steps }) => steps),
    promptTokens: sum(({ promptTokens }) => promptTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    tookMs: sum(({ tookMs }) => tookMs),
    slips: sum(({ slips }) => countSlips(slips)),
  };
}
