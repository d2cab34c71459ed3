/** Reads what an address has: a page as Markdown, text as it is, an image; keeps texts for a while, so that parts fit together. */
import { ok, type Result } from "@/lib/events/error";
import { limits } from "@/lib/settings/settings";
import { detectImageType } from "@/lib/workspace/detect-image-type";
import type { Egress, EgressAnswer, EgressFailure } from "@/server/providers/egress/egress";
import { makeRecentCache } from "../recent-cache";
import { mediaType } from "./media-type";
import type { PageWorkerInput, PageWorkerResult } from "./run-page-worker";

interface PageFacts {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  readonly type: string;
  /** Unpacked bytes that were read. */
  readonly size: number;
}

export type WebPage =
  | (PageFacts & { readonly kind: "text"; readonly title: string; readonly text: string; readonly isCut: boolean })
  | (PageFacts & { readonly kind: "image"; readonly mime: string; readonly bytes: Buffer })
  /** Another host: the owner is asked first. */
  | { readonly kind: "redirect"; readonly to: string }
  /** Neither text nor an image that models accept. */
  | (PageFacts & { readonly kind: "unsupported"; readonly isCut: boolean })
  /** The page is too complex. */
  | (PageFacts & { readonly kind: "too_complex" });

interface WebPagesOptions {
  readonly egress: Egress;
  /** Makes text of bytes; rejects only with the signal's reason. */
  readText(input: PageWorkerInput, signal: AbortSignal): Promise<PageWorkerResult>;
  /** ms, never goes back */
  now(): number;
}

export interface WebPages {
  /** Rejects only with the signal's reason. */
  read(url: URL, signal: AbortSignal): Promise<Result<WebPage, EgressFailure>>;
}

const timeoutMs = 20_000;
const maxBytes = 2_000_000;
const keptMs = 15 * 60_000;
const maxKept = 8;
const accept = "text/html,application/xhtml+xml,text/markdown,text/plain,application/json,image/*;q=0.8,*/*;q=0.5";
/** Types that are text beside those of text/. */
const textTypes =
  /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|xhtml|yaml|x-yaml|toml|javascript|x-ndjson|x-sh|sql|graphql)(?:\+xml)?|image\/svg\+xml)$/;
/** Types that say nothing. */
const vagueTypes: readonly string[] = ["", "application/octet-stream", "binary/octet-stream"];

export function makeWebPages({ egress, readText, now }: WebPagesOptions): WebPages {
  const recent = makeRecentCache<WebPage>({ maxEntries: maxKept, keptMs, now });
  return {
    async read(url, signal) {
      const key = url.href;
      const found = recent.get(key);
      if (found !== undefined) return ok(found);
      const headers = { Accept: accept };
      const answer = await egress.send(
        { url, headers, maxBytes, timeoutMs, follows: (to) => isSamePlace(url, to) },
        signal,
      );
      if (!answer.ok) return answer;
      if (answer.value.kind === "redirect") return ok({ kind: "redirect", to: answer.value.to.href });
      const page = await readAnswer(answer.value, readText, signal);
      if (page.kind === "text" && page.status < 400) recent.set(key, page);
      return ok(page);
    },
  };
}

/** The same origin, or the same host over https in place of http. Anything else is a request of its own. */
function isSamePlace(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  const usesDefaultPorts = from.port === "" && to.port === "";
  return from.hostname === to.hostname && usesDefaultPorts && from.protocol === "http:" && to.protocol === "https:";
}

async function readAnswer(
  answer: Extract<EgressAnswer, { kind: "answer" }>,
  readText: WebPagesOptions["readText"],
  signal: AbortSignal,
): Promise<WebPage> {
  const { bytes, isCut } = answer;
  const declared = answer.header("content-type") ?? "";
  const type = mediaType(declared);
  const facts: PageFacts = { url: answer.url.href, status: answer.status, type, size: bytes.length };
  const mime = detectImageType(bytes);
  if (mime !== null)
    return isCut || bytes.length > limits.imageMaxBytes
      ? { ...facts, kind: "unsupported", type: mime, isCut }
      : { ...facts, kind: "image", mime, bytes };
  if (!textTypes.test(type) && !vagueTypes.includes(type)) return { ...facts, kind: "unsupported", isCut };
  const read = await readText({ bytes, type: declared, url: facts.url }, signal);
  switch (read.kind) {
    case "text":
      return { ...facts, kind: "text", ...read.text, isCut };
    case "no_text":
      return { ...facts, kind: "unsupported", isCut };
    case "failed":
      return { ...facts, kind: "too_complex" };
  }
}
