/** Data that sentences about errors of a run need besides the facts. */
import type { Figures } from "./figures";
import type { Messages } from "./messages";

export interface SentenceFigures extends Pick<Figures, "tokens"> {
  /** Sentences that other parts of the conversation have too. */
  readonly chat: Pick<Messages["chat"], "limit" | "missing">;
  /** Host of the model server, "" = not known. */
  readonly host: string;
  /** The repeated call, "" = not known. */
  readonly call: string;
}
