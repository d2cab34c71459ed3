/** Interface of a model server for sessions, the queue and the doctor. */
import type { KnownServer } from "./model-choice";
import type { ModelServer } from "./model-stream";
import type { Known } from "./models/known";
import type { ModelKey } from "./models/notes";

/** A model server with the facts about its models. */
export interface ServerEntry extends ModelServer {
  known(): KnownServer;
  /** Facts and notes of its models. */
  readonly learned: Known;
  /** The key of a model's note. */
  keyOf(model: string): ModelKey;
  /** Tokens the server allocated for `numCtx`; undefined = not seen */
  allocated(model: string, numCtx: number): number | undefined;
  /** Concurrent answers it works on. */
  atOnce(): number;
}
