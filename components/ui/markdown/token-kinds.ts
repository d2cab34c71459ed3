/** Closed unions of marked's tokens: marked's own type has an open member that accepts any shape. */
import type { Token, Tokens } from "marked";

type InlineToken =
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Del
  | Tokens.Codespan
  | Tokens.Br
  | Tokens.Link
  | Tokens.Image
  | Tokens.Escape
  | Tokens.Text
  | Tokens.HTML
  | Tokens.Tag
  | Tokens.Checkbox;
type BlockToken =
  | Tokens.Heading
  | Tokens.Paragraph
  | Tokens.Text
  | Tokens.Code
  | Tokens.Blockquote
  | Tokens.List
  | Tokens.Table
  | Tokens.Hr
  | Tokens.HTML;

const inlineTypes: readonly string[] = [
  "strong",
  "em",
  "del",
  "codespan",
  "br",
  "link",
  "image",
  "escape",
  "text",
  "html",
  "checkbox",
] satisfies readonly InlineToken["type"][];
const blockTypes: readonly string[] = [
  "heading",
  "paragraph",
  "text",
  "code",
  "blockquote",
  "list",
  "table",
  "hr",
  "html",
] satisfies readonly BlockToken["type"][];

export const isInline = (token: Token): token is InlineToken => inlineTypes.includes(token.type);
export const isBlock = (token: Token): token is BlockToken => blockTypes.includes(token.type);
