/** What test-tiny-model.mjs takes. */
export interface TinyAnswer {
  readonly text: string;
  /** Said before it, unless the request switches thinking off. */
  readonly thinking?: string;
}

export interface TinyModel {
  /** Answer n is said where n - 1 assistant messages stand in the prompt. */
  readonly answers: readonly TinyAnswer[];
  /** Behind the last answer. */
  readonly otherwise?: string;
  /** tokens the model says it was trained for */
  readonly context?: number;
  /** Its template refuses messages whose roles do not take turns. */
  readonly alternates?: boolean;
}

/** Writes a GGUF file of a few megabytes. */
export function writeTinyModel(path: string, model: TinyModel): void;
