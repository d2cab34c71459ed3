/** Classifies a link address written by a model. Nothing is loaded; only http, https and mailto leave the page. */
type LinkAddress =
  | { readonly kind: "web"; readonly href: string; readonly host: string }
  | { readonly kind: "mail"; readonly href: string }
  /** A project path, optionally with a line. */
  | { readonly kind: "path"; readonly path: string; readonly line?: number }
  /** `#name`: a heading of the same text. */
  | { readonly kind: "heading"; readonly name: string }
  | { readonly kind: "blocked" };

const hasScheme = /^[a-z][a-z0-9+.-]*:/i;
const pathWithLine = /^([^?#]*?)(?:(?::|#L)(\d+)(?:[:-]L?\d+)?)?(?:#.*)?$/;

export function parseLinkAddress(raw: string): LinkAddress {
  // Browsers ignore these characters when they parse a URL; they must not hide the scheme from this check.
  const text = raw
    .replace(/[\u0000-\u0020\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g, (run) =>
      /^ +$/.test(run) ? " " : "",
    )
    .trim();
  if (text === "") return { kind: "blocked" };
  if (/^(?:https?|mailto):/i.test(text)) return parseUrl(text);
  if (/^#./.test(text)) return { kind: "heading", name: decodePath(text.slice(1)) };
  const match = pathWithLine.exec(text);
  const [, path = "", line] = match ?? [];
  if (path === "" || hasScheme.test(path) || /^[\\/]{2}/.test(path) || path.includes("\\")) return { kind: "blocked" };
  return { kind: "path", path: decodePath(path), ...(line === undefined ? {} : { line: Number(line) }) };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function parseUrl(text: string): LinkAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return { kind: "blocked" };
  if (url.protocol === "mailto:") return { kind: "mail", href: url.href };
  const isWeb = (url.protocol === "http:" || url.protocol === "https:") && url.host !== "";
  // A user name before the host only serves to imitate another host.
  return isWeb && url.username === "" && url.password === ""
    ? { kind: "web", href: url.href, host: url.host }
    : { kind: "blocked" };
}

/** Whether a link's text looks like an address with a host other than `host`. */
export function claimsOtherHost(words: string, host: string): boolean {
  const claimed = /^\s*(?:https?:\/\/)?([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)(?::\d+)?(?:[/?#]|\s*$)/iu.exec(words)?.[1];
  if (claimed === undefined) return false;
  const bare = (name: string): string =>
    name
      .toLowerCase()
      .replace(/^www\./, "")
      .replace(/:\d+$/, "");
  return bare(claimed) !== bare(host);
}
