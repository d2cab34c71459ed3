/** Writes Markdown as the HTML of Telegram, which has few tags. Text, also that of HTML in the Markdown, is always escaped. */
import { Lexer, type Token, type Tokens } from "marked";

type InlineToken =
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Del
  | Tokens.Codespan
  | Tokens.Br
  | Tokens.Link
  | Tokens.Image
  | Tokens.Escape
  | Tokens.Text;
type BlockToken = Tokens.Heading | Tokens.Paragraph | Tokens.Text | Tokens.Code | Tokens.Blockquote | Tokens.List;

const inlineTypes: readonly string[] = ["strong", "em", "del", "codespan", "br", "link", "image", "escape", "text"];
const blockTypes: readonly string[] = ["heading", "paragraph", "text", "code", "blockquote", "list"];
const isInlineToken = (token: Token): token is InlineToken => inlineTypes.includes(token.type);
const isBlockToken = (token: Token): token is BlockToken => blockTypes.includes(token.type);

/** Deeper content is written as its source. */
const depthMax = 12;
/** With more of them the lexer takes too long. */
const delimitersMax = 800;

export const escapeTelegramHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Returns the HTML of a text of one message. A text that cannot be read as Markdown is only escaped. */
export function toTelegramHtml(markdown: string): string {
  if ((markdown.match(/[*_~[>]/g)?.length ?? 0) > delimitersMax) return escapeTelegramHtml(markdown);
  try {
    return writeBlocks(new Lexer({ gfm: true }).lex(markdown), 0, false);
  } catch {
    return escapeTelegramHtml(markdown);
  }
}

const source = ({ raw }: Token): string => escapeTelegramHtml(raw.trimEnd());

/** Quotes in quotes are not allowed. */
function writeBlocks(tokens: readonly Token[], depth: number, isQuoted: boolean): string {
  const shown = tokens.filter(({ type }) => type !== "space" && type !== "checkbox");
  return shown.map((token) => writeBlock(token, depth, isQuoted)).join("\n\n");
}

function writeBlock(token: Token, depth: number, isQuoted: boolean): string {
  if (token.type === "table") return `<pre>${source(token)}</pre>`;
  if (token.type === "hr") return "———";
  if (!isBlockToken(token) || depth > depthMax) return source(token);
  switch (token.type) {
    case "heading":
      return `<b>${writeInline(token.tokens, depth + 1)}</b>`;
    case "paragraph":
    case "text":
      return token.tokens === undefined ? escapeTelegramHtml(token.text) : writeInline(token.tokens, depth + 1);
    case "code":
      return writeCode(token);
    case "blockquote": {
      const content = writeBlocks(token.tokens, depth + 1, true);
      return isQuoted ? content : `<blockquote>${content}</blockquote>`;
    }
    case "list":
      return writeList(token, depth, isQuoted);
  }
}

function writeCode({ text, lang = "" }: Tokens.Code): string {
  const [language = ""] = /^[\w#+.-]+/.exec(lang) ?? [];
  const code = escapeTelegramHtml(text);
  return language === "" ? `<pre>${code}</pre>` : `<pre><code class="language-${language}">${code}</code></pre>`;
}

function writeList({ items, ordered, start }: Tokens.List, depth: number, isQuoted: boolean): string {
  const first = typeof start === "number" ? start : 1;
  return items
    .map((item, index) => {
      const mark = item.task ? (item.checked === true ? "☑" : "☐") : ordered ? `${first + index}.` : "•";
      const blocks = item.tokens.filter(({ type }) => type !== "space" && type !== "checkbox");
      const written = blocks.map((token) =>
        token.type === "list" ? indent(writeBlock(token, depth + 1, isQuoted)) : writeBlock(token, depth + 1, isQuoted),
      );
      return `${mark} ${written.join("\n")}`;
    })
    .join("\n");
}

/** Lists contain no code that a space would change: a nested block of code keeps its first lines. */
const indent = (html: string): string =>
  html
    .split(/(<pre>[\s\S]*?<\/pre>)/)
    .map((part) => (part.startsWith("<pre>") ? part : part.replace(/^(?=.)/gm, "  ")))
    .join("");

const writeInline = (tokens: readonly Token[], depth: number): string =>
  tokens.map((token) => writeInlineToken(token, depth)).join("");

function writeInlineToken(token: Token, depth: number): string {
  if (!isInlineToken(token) || depth > depthMax) return escapeTelegramHtml(token.raw);
  switch (token.type) {
    case "strong":
      return `<b>${writeInline(token.tokens, depth + 1)}</b>`;
    case "em":
      return `<i>${writeInline(token.tokens, depth + 1)}</i>`;
    case "del":
      return `<s>${writeInline(token.tokens, depth + 1)}</s>`;
    case "codespan":
      return `<code>${escapeTelegramHtml(token.text)}</code>`;
    case "br":
      return "\n";
    case "link":
      return withAddress(writeInline(token.tokens, depth + 1), token);
    case "image":
      return withAddress(escapeTelegramHtml(token.text), token);
    case "escape":
      return escapeTelegramHtml(token.text);
    case "text":
      return "tokens" in token && token.tokens !== undefined
        ? writeInline(token.tokens, depth + 1)
        : escapeTelegramHtml(token.text);
  }
}

/** The address is visible: a link that shows another text than its address could deceive. */
function withAddress(text: string, { href, text: label }: Tokens.Link | Tokens.Image): string {
  const address = escapeTelegramHtml(href);
  if (text === "" || label === href || `mailto:${label}` === href) return address === "" ? text : address;
  return address === "" ? text : `${text} (${address})`;
}
