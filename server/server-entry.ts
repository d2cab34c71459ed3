/** What sessions, the queue and the doctor need of a model server. Made by ollama-server and connection-server. */
import type { KnownServer } from "./model-choice";
import type { ModelServer } from "./model-stream";
import type { Known } from "./models/known";
import type { ModelKey } from "./models/notes";

/** A model server: how it is asked, and what is known of its models. */
export interface ServerEntry extends ModelServer {
  known(): KnownServer;
  /** Where its models' notes are kept. */
  readonly learned: Known;
  /** The key of a model's note. */
  keyOf(model: string): ModelKey;
  /** tokens the server gave when `numCtx` were asked for; undefined = not seen */
  allocated(model: string, numCtx: number): number | undefined;
  /** Answers it works on at the same time. */
  atOnce(): number;
}
