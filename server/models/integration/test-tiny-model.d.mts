/** Types of test-tiny-model.mjs. */
export interface TinyAnswer {
  readonly text: string;
  /** Sent before the text, unless the request switches thinking off. */
  readonly thinking?: string;
}

export interface TinyModel {
  /** Answer n is given when the prompt has n - 1 assistant messages. */
  readonly answers: readonly TinyAnswer[];
  /** Given after the last answer. */
  readonly otherwise?: string;
  /** Trained window in the metadata, tokens */
  readonly context?: number;
  /** The chat template rejects roles that do not alternate. */
  readonly alternates?: boolean;
}

/** Writes a GGUF file of a few megabytes. */
export function writeTinyModel(path: string, model: TinyModel): void;
