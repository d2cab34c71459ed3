/** One component of a glob as an expression. Used by look.ts for the shell's globs and by hidden-names.ts for ignore files. */

/** Stars in one component: more would let the expression try for too long. */
const maxStars = 4;

/** A plain component as its text, a pattern as an expression; null for classes and brackets not known here. */
export function globComponent(component: string): RegExp | string | null {
  let pattern = "";
  let text = "";
  let wild = false;
  for (const [part] of component.matchAll(/\\[\s\S]|\[[!^]?\]?[^\]\\/]*\]|[\s\S]/gu)) {
    if (part.length > 2 && part.startsWith("[")) {
      if (!/^\[[!^]?[\w.-]+\]$/.test(part)) return null;
      wild = true;
      pattern += part.replace(/^\[[!^]/, "[^");
    } else if (part === "*" || part === "?") {
      wild = true;
      pattern += part === "*" ? ".*" : ".";
    } else {
      const plain = part.length === 2 && part.startsWith("\\") ? part.slice(1) : part;
      text += plain;
      pattern += plain.replace(/[\\^$.|?*+()[\]{}/]/g, "\\$&");
    }
  }
  if (!wild) return text;
  if (pattern.split(".*").length - 1 > maxStars) return null;
  try {
    return new RegExp(`^${pattern}$`, "isu");
  } catch {
    return null;
  }
}
