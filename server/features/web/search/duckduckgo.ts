/**
 * DuckDuckGo without an account: its page without scripts. It answers with a captcha when it takes the program for a robot,
 * often with status 202; that is never the same as no results.
 */
import { maxReadHits, type WebHit, type SearchProvider } from "./provider";

/** About a dozen quick requests lead to a captcha. */
const intervalMs = 5_000;
const maxHitChars = 6_000;
/** The tag of a link begins at most this far before its mark. */
const maxTagChars = 500;
/** Links that are examined: a page has a dozen. */
const maxLinks = 100;
/** Start of the link of a result. */
const linkMark = 'class="result__a"';
const snippetMark = 'class="result__snippet"';

export const duckduckgo: SearchProvider = {
  id: "duckduckgo",
  needs: "nothing",
  address: "https://html.duckduckgo.com",
  intervalMs,
  request: (query, address) => ({
    url: `${address}/html/?${new URLSearchParams({ q: query })}`,
    // Without it the answer is a captcha.
    headers: { Accept: "text/html,application/xhtml+xml", "Accept-Language": "en-US,en;q=0.5" },
  }),
  read({ status, text }) {
    const hits = [200, 202].includes(status) ? readHits(text) : [];
    if (hits.length > 0) return { kind: "hits", hits };
    if ([202, 403, 418, 429].includes(status) || blockMarks.some((mark) => mark.test(text)))
      return { kind: "failed", reason: "blocked", detail: `status ${status}` };
    if (status !== 200) return { kind: "failed", reason: "bad_answer", detail: `status ${status}` };
    if (emptyMark.test(text)) return { kind: "hits", hits };
    return {
      kind: "failed",
      reason: "blocked",
      detail: "a page without results and without a note that there are none",
    };
  },
};

/**
 * Elements of the captcha, and of the note that there are no results. The words of a search are in the page, too: in its
 * title, its form and its results, never as a tag.
 */
const blockMarks: readonly RegExp[] = [
  /<form\b[^<>]{0,500}?\sid="challenge-form"/i,
  /<\w+\b[^<>]{0,500}?\sclass="(?:[^"<>]{0,200}\s)?anomaly-modal(?:__|["\s])/i,
  /<script\b[^<>]{0,500}?\ssrc="[^"<>]{0,500}\banomaly\.js["?]/i,
];
const emptyMark = /<\w+\b[^<>]{0,500}?\sclass="(?:[^"<>]{0,200}\s)?(?:no-results|result--no-result)["\s]/i;

function readHits(page: string): readonly WebHit[] {
  const hits: WebHit[] = [];
  let at = page.indexOf(linkMark);
  for (let links = 0; at >= 0 && hits.length < maxReadHits && links < maxLinks; links += 1) {
    const next = page.indexOf(linkMark, at + linkMark.length);
    const end = Math.min(next < 0 ? page.length : next, at + maxHitChars);
    const start = Math.max(0, at - maxTagChars);
    const tag = page.slice(start, at).lastIndexOf("<");
    const hit = readHit(page.slice(start + Math.max(0, tag), end));
    if (hit !== null) hits.push(hit);
    at = next;
  }
  return hits;
}

/** `part` = from the tag of the link on. */
function readHit(part: string): WebHit | null {
  const href = /href="([^"]{1,4000})"/.exec(part)?.[1];
  const url = href === undefined ? null : resolveTarget(decodeEntities(href));
  if (url === null) return null;
  return { url, title: innerText(part, 0), snippet: innerText(part, part.indexOf(snippetMark)) };
}

/** The addresses of results are in a parameter of their links. Advertisements have none. */
function resolveTarget(href: string): string | null {
  const base = "https://duckduckgo.com/";
  if (!URL.canParse(href, base)) return null;
  const link = new URL(href, base);
  const target = link.hostname.endsWith("duckduckgo.com") ? link.searchParams.get("uddg") : link.href;
  if (target === null || !URL.canParse(target)) return null;
  const { protocol, hostname, pathname } = new URL(target);
  const isAdvertisement = hostname.endsWith("duckduckgo.com") && pathname === "/y.js";
  return !isAdvertisement && (protocol === "https:" || protocol === "http:") ? target : null;
}

/** Text of the element whose tag `from` is in; "" for a negative `from`. */
function innerText(part: string, from: number): string {
  if (from < 0) return "";
  const start = part.indexOf(">", from) + 1;
  const ends = ["</a>", "</div>", "</td>"].map((tag) => part.indexOf(tag, start)).filter((end) => end >= 0);
  const inner = part.slice(start, ends.length === 0 ? part.length : Math.min(...ends));
  return decodeEntities(inner.replace(/<[^<>]*>/g, ""));
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name: string | undefined) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
