/** Cuts the text of a server to its limit in a message. */
import type { ReferenceStore } from "./use-references";

/** Share of a reference's limit, which is 1/8 of the window. */
const share = 1 / 2;

interface FittedText {
  readonly text: string;
  /** Lines that are left of a longer text; null = it is whole. */
  readonly lines: number | null;
}

/** At most 1/16 of the window, by the tokens that the server of gopi-web estimates; cut at the end of a line. */
export async function fitServerText(store: Pick<ReferenceStore, "measure">, text: string): Promise<FittedText> {
  const measured = await store.measure([{ kind: "text", label: "text", text }]);
  const size = measured?.sizes[0];
  const maxTokens = (measured?.maxTokens ?? 0) * share;
  if (size?.ok !== true || maxTokens === 0 || size.tokens <= maxTokens) return { text, lines: null };
  const start = text.slice(0, Math.floor((text.length * maxTokens) / size.tokens));
  const end = start.lastIndexOf("\n");
  const cut = end <= 0 ? start : start.slice(0, end);
  return { text: cut, lines: cut.split("\n").length };
}
