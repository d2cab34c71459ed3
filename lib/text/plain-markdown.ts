/** Turns Markdown into one plain line, for rows and titles. Pure, in linear time. */

/** Lines without text of their own: fences, rules and dividers of tables. */
const emptyLine = /^[ \t]*(?:(?:```|~~~).*|(?:\|[ \t]*)?:?-[ \t:|-]{2,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/gm;
/** Marks at the start of a line: headings, quotes, lists, tasks, cells. */
const lineStart = /^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\|[ \t]*)/gm;
const lineEnd = /\|[ \t]*$/gm;
const cellBorder = / \| /g;
/** Code, bold, struck. */
const inlineMark = /`+|\*\*|~~/g;
const link = /!?\[([^[\]\n]{0,300})\]\([^()\s]{0,500}\)/g;
const whiteSpace = /\s+/g;

/** Returns the text of Markdown on one line, with single spaces. */
export const plainMarkdownLine = (text: string): string =>
  text
    .replace(emptyLine, "")
    .replace(lineStart, "")
    .replace(lineEnd, "")
    .replace(cellBorder, " · ")
    .replace(link, "$1")
    .replace(inlineMark, "")
    .replace(whiteSpace, " ")
    .trim();
