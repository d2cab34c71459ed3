/** What sentences about errors of a run need besides the facts. */
import type { Figures } from "./figures";

export interface SentenceFigures extends Pick<Figures, "tokens"> {
  /** Of the model server, "" = not known. */
  readonly host: string;
  /** The repeated call, "" = not known. */
  readonly call: string;
}
