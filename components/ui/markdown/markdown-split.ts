/**
 * Splits a growing markdown text into blocks incrementally: each step lexes from the last final offset on, and all
 * blocks but the last two are final. The complete text is lexed once at the end, so the result does not depend on the
 * chunks.
 */
import { Lexer, type Token } from "marked";
import { completePartialMarkdown } from "./complete-partial-markdown";

export interface MarkdownBlock {
  readonly token: Token;
  /** Source text of the token. */
  readonly raw: string;
}

type LinkDefinitions = Lexer["tokens"]["links"];

export interface MarkdownSplit {
  readonly text: string;
  readonly live: boolean;
  /** UTF-16 length of the final blocks. */
  readonly offset: number;
  readonly final: readonly MarkdownBlock[];
  readonly open: readonly MarkdownBlock[];
  readonly links: LinkDefinitions;
}

export const emptySplit: MarkdownSplit = { text: "", live: true, offset: 0, final: [], open: [], links: {} };

/** Longer paragraphs are shown as plain text: parsing emphasis is quadratic. */
const inlineMaxChars = 20_000;
const delimitersMax = 800;

class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const delimiters = source.length > delimitersMax ? (source.match(/[*_~]/g)?.length ?? 0) : 0;
    if (source.length <= inlineMaxChars && delimiters <= delimitersMax) return super.inlineTokens(source, tokens);
    tokens.push({ type: "text", raw: source, text: source, escaped: false });
    return tokens;
  }
}

/** A line in so many quotes or lists: the lexer reads it again for each of them. */
const nestedTooDeep = /^(?:[ \t]*(?:>|[-*+][ \t]|\d+[.)][ \t])){100}/m;

/** Lexes a text. Never throws: text nested too deep for the lexer becomes plain text. */
function lex(
  text: string,
  links: LinkDefinitions,
): { readonly tokens: readonly Token[]; readonly links: LinkDefinitions } {
  const lexer = new BoundedLexer({ gfm: true });
  Object.assign(lexer.tokens.links, links);
  try {
    if (nestedTooDeep.test(text)) throw new RangeError("nested too deep");
    return { tokens: lexer.lex(text), links: { ...lexer.tokens.links } };
  } catch {
    return { tokens: [{ type: "text", raw: text, text, escaped: false }], links };
  }
}

const isVisibleToken = (token: Token): boolean => token.type !== "space" && token.type !== "def";
const toBlocks = (tokens: readonly Token[]): readonly MarkdownBlock[] =>
  tokens.filter(isVisibleToken).map((token) => ({ token, raw: token.raw }));

/** Number of tokens that can no longer change: all but the last two visible ones. */
function finalCount(tokens: readonly Token[]): number {
  let shown = 0;
  for (let index = tokens.length - 1; index >= 0; index -= 1) {
    if (tokens[index]?.type !== "space") shown += 1;
    if (shown === 2) return index;
  }
  return 0;
}

/** UTF-16 length of the tokens' source; requires normalised line ends. */
const sourceLength = (tokens: readonly Token[]): number => tokens.reduce((sum, token) => sum + token.raw.length, 0);

/** Converts CRLF and CR to LF, as marked does internally; otherwise offsets would be wrong. */
const normalizeLineEnds = (text: string): string => (text.includes("\r") ? text.replace(/\r\n|\r/g, "\n") : text);

/** Whether a block is independent of link definitions, which may be anywhere: code, or text without a bracket. */
const isSelfContained = ({ token, raw }: MarkdownBlock): boolean => token.type === "code" || !raw.includes("[");

function splitComplete(previous: MarkdownSplit, text: string): MarkdownSplit {
  const { tokens, links } = lex(text, {});
  const before = [...previous.final, ...previous.open];
  const blocks = toBlocks(tokens).map((block, index) => {
    const old = before[index];
    return old?.raw === block.raw && old.token.type === block.token.type && isSelfContained(old) ? old : block;
  });
  return { text, live: false, offset: text.length, final: blocks, open: [], links };
}

/** Computes the next split. `live` = more text will come. Unchanged blocks keep their objects. */
export function advanceSplit(previous: MarkdownSplit, source: string, live: boolean): MarkdownSplit {
  const text = normalizeLineEnds(source);
  if (!live) return splitComplete(previous, text);
  const grows = previous.live && text.startsWith(previous.text.slice(0, previous.offset));
  const base = grows ? previous : emptySplit;
  const tail = text.slice(base.offset);
  const { tokens, links } = lex(tail, base.links);
  const count = finalCount(tokens);
  const settled = tokens.slice(0, count);
  const offset = base.offset + sourceLength(settled);
  // A link definition may move into the final part: the blocks still open are lexed again with it.
  const final = count === 0 ? base.final : [...base.final, ...toBlocks(settled)];
  const rest = text.slice(offset);
  const shown = completePartialMarkdown(rest);
  const open = shown === rest ? tokens.slice(count) : lex(shown, links).tokens;
  const settledText = tail.slice(0, offset - base.offset);
  // Only text with this sequence can define a link.
  const nextLinks = settledText.includes("]:") ? lex(settledText, base.links).links : base.links;
  return { text, live, offset, final, open: toBlocks(open), links: nextLinks };
}
