/** Interface of a model server for sessions, the queue and the doctor. */
import type { ModelServerFacts } from "../choice/model-choice";
import type { ModelServer } from "../queue/model-stream";
import type { ModelKnowledge } from "../notes/model-knowledge";
import type { ModelKey } from "../notes/model-note-cache";

/** A model server with the facts about its models. */
export interface ModelServerEntry extends ModelServer {
  facts(): ModelServerFacts;
  /** Facts and notes of its models. */
  readonly knowledge: ModelKnowledge;
  /** The key of a model's note. */
  keyOf(model: string): ModelKey;
  /** It allocates its windows whatever a request asks for. */
  readonly choosesWindow: boolean;
  /** Tokens the server allocated for `numCtx`; undefined = not seen */
  allocated(model: string, numCtx: number): number | undefined;
  /** Concurrent answers it works on, as the user set it; absent = not set. */
  readonly chosenAtOnce?: number | undefined;
  /** Conversations that it says it works on at once; 1 = it says nothing. */
  slots(): number;
}
