/** Decodes strings that were encoded once too often: HTML entities and JSON escapes. Pure. */

const entityCharacters = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&amp;", "&"],
  ["&quot;", '"'],
  ["&#34;", '"'],
  ["&#x22;", '"'],
  ["&apos;", "'"],
  ["&#39;", "'"],
  ["&#x27;", "'"],
]);
const anyEntity = /&(?:lt|gt|amp|quot|apos|#34|#39|#x22|#x27);/gi;

/**
 * Returns the text with its entities decoded once; null if it has none, or contains characters that would have been
 * encoded as well.
 */
export function decodeEntitiesOnce(text: string): string | null {
  const rest = text.replaceAll(anyEntity, "");
  if (rest.length === text.length || /[<>&]/.test(rest)) return null;
  return text.replaceAll(anyEntity, (entity) => entityCharacters.get(entity.toLowerCase()) ?? entity);
}

const escapeCharacters = new Map([
  ["\\n", "\n"],
  ["\\r", "\r"],
  ["\\t", "\t"],
  ['\\"', '"'],
  ["\\'", "'"],
  ["\\`", "`"],
  ["\\$", "$"],
  ["\\\\", "\\"],
]);
const anyEscape = /\\[^]?/g;

/**
 * Returns the text decoded once and the set of escapes it contains; null if one is not an escape of JSON or of a
 * quote.
 */
function decodeOnce(text: string): { readonly text: string; readonly kinds: ReadonlySet<string> } | null {
  const kinds = new Set(text.match(anyEscape) ?? []);
  for (const kind of kinds) if (!escapeCharacters.has(kind)) return null;
  return { text: text.replaceAll(anyEscape, (escape) => escapeCharacters.get(escape) ?? escape), kinds };
}

/**
 * Returns false if a written-out line break or tab may be intended: inside quotes or slashes, after a space, or a tab
 * within a line.
 */
function areBreaksUnambiguous(text: string): boolean {
  let open = "";
  let onlyTabs = true;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charAt(index);
    const next = text.charAt(index + 1);
    if (unit === "\\" && (next === "n" || next === "r")) {
      if (open !== "" || text.charAt(index - 1) === " ") return false;
      onlyTabs = true;
      index++;
    } else if (unit === "\\" && next === "t") {
      if (!onlyTabs) return false;
      index++;
    } else if (unit !== "\\") {
      onlyTabs = false;
      const isClosingTag = unit === "/" && text.charAt(index - 1) === "<";
      if (open === unit) open = "";
      else if (open === "" && /["'`/]/.test(unit) && !isClosingTag) open = unit;
    }
  }
  return true;
}

/**
 * Returns both strings decoded once. Returns null if old_string has no escapes, or if the escapes of new_string may
 * be of a different origin: a `\n` intended for the program would become a line break.
 */
export function decodeEscapes(
  oldText: string,
  newText: string,
): { readonly oldText: string; readonly newText: string } | null {
  const old = decodeOnce(oldText);
  if (old === null || old.kinds.size === 0) return null;
  if (!newText.includes("\\")) return { oldText: old.text, newText };
  const next = decodeOnce(newText);
  if (next === null) return null;
  const writesBreaks = next.kinds.has("\\n") || next.kinds.has("\\t") || next.kinds.has("\\r");
  const isExplained = [...next.kinds].every(
    (kind) => old.kinds.has(kind) || (old.kinds.has("\\n") && (kind === "\\t" || kind === "\\r")),
  );
  const rest = newText.replaceAll(anyEscape, "");
  const mixed =
    (next.kinds.has('\\"') && rest.includes('"')) ||
    (next.kinds.has("\\'") && rest.includes("'")) ||
    (writesBreaks && rest.includes("\n"));
  if (!isExplained || mixed || (writesBreaks && !areBreaksUnambiguous(newText))) return null;
  return { oldText: old.text, newText: next.text };
}
