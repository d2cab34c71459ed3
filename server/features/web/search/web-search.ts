/** Searches with the owner's search engines in their order: the next one is asked when one fails. */
import type { Result } from "@/lib/events/error";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { WebProviderId, WebSearchFailure, WebSearchReason } from "@/lib/tools/web";
import { pause } from "@/server/base/abort";
import { makeMutex } from "@/server/base/concurrency";
import { makeRedactor } from "@/server/security/redaction/redact";
import { toForeignLine } from "@/server/tools/toolbox/foreign-text";
import type { Egress, EgressFailure } from "@/server/providers/egress/egress";
import { makeRecentCache } from "../recent-cache";
import { duckduckgo } from "./duckduckgo";
import { bocha, brave, searxng, tavily } from "./json-providers";
import { maxHits, type ProviderResult, type WebHit, type SearchProvider } from "./provider";

export const searchProviders: Readonly<Record<WebProviderId, SearchProvider>> = {
  searxng,
  brave,
  tavily,
  bocha,
  duckduckgo,
};

/** A search engine that can be asked. */
export interface UsableProvider {
  readonly id: WebProviderId;
  readonly address: string;
  /** "" = it needs none. */
  readonly key: string;
}

export interface SearchResults {
  /** Engine that found the hits; null = none answered. */
  readonly provider: WebProviderId | null;
  /** At most five. */
  readonly hits: readonly WebHit[];
  /** Failures of the engines that were asked before. */
  readonly failures: readonly WebSearchFailure[];
}

export interface WebSearch {
  /** Rejects only with the signal's reason. */
  search(query: string, providers: readonly UsableProvider[], signal: AbortSignal): Promise<SearchResults>;
  /** Asks one engine now: neither recent results nor another engine. Rejects only with the signal's reason. */
  probe(query: string, provider: UsableProvider, signal: AbortSignal): Promise<Result<number, WebSearchFailure>>;
}

export interface WebSearchOptions {
  /** For the hosts that the owner chose. */
  readonly egress: Egress;
  /** ms, never goes back */
  now(): number;
  /** Resolves after `ms`, or when the signal fires. */
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
}

const timeoutMs = 15_000;
const maxBytes = 1_000_000;
const keptMs = 15 * 60_000;
const maxKept = 100;
const maxTitleChars = 120;
const maxSnippetChars = 200;
const maxUrlChars = 500;
/** A longer one would leave no room for words in the answer. */
const maxUrlTokens = 240;
/** Start of the description of a failure that is examined. */
const maxReadChars = 4_000;

export const searchClock: Pick<WebSearchOptions, "now" | "wait"> = { now: () => performance.now(), wait: pause };

export function makeWebSearch(options: WebSearchOptions): WebSearch {
  const recent = makeRecentCache<readonly WebHit[]>({ maxEntries: maxKept, keptMs, now: options.now });
  const takeTurn = makeTurns(options);
  const askInTurn = async (query: string, provider: UsableProvider, signal: AbortSignal): Promise<ProviderResult> => {
    await takeTurn(searchProviders[provider.id], signal);
    return ask(options.egress, query, provider, signal);
  };
  return {
    async search(query, providers, signal) {
      const failures: WebSearchFailure[] = [];
      for (const provider of providers) {
        const cacheKey = JSON.stringify([provider.id, provider.address, query]);
        const found = recent.get(cacheKey);
        if (found !== undefined) return { provider: provider.id, hits: found, failures };
        const result = await askInTurn(query, provider, signal);
        if (result.kind === "failed") {
          failures.push(toFailure(provider, result));
          continue;
        }
        const hits = cleanHits(result.hits);
        recent.set(cacheKey, hits);
        return { provider: provider.id, hits, failures };
      }
      return { provider: null, hits: [], failures };
    },
    async probe(query, provider, signal) {
      const result = await askInTurn(query, provider, signal);
      return result.kind === "failed"
        ? { ok: false, error: toFailure(provider, result) }
        : { ok: true, value: cleanHits(result.hits).length };
    },
  };
}

/** Returns a function that waits until an engine may be asked again, one search after the other; one that ends takes no turn. */
function makeTurns({ now, wait }: Pick<WebSearchOptions, "now" | "wait">) {
  const free = new Map<WebProviderId, number>();
  const turns = makeMutex();
  return ({ id, intervalMs }: SearchProvider, signal: AbortSignal): Promise<void> =>
    turns.hold(
      id,
      async () => {
        const waitMs = (free.get(id) ?? 0) - now();
        if (waitMs > 0) await wait(waitMs, signal);
        signal.throwIfAborted();
        free.set(id, now() + intervalMs);
      },
      signal,
    );
}

async function ask(
  egress: Egress,
  query: string,
  { id, address, key }: UsableProvider,
  signal: AbortSignal,
): Promise<ProviderResult> {
  const provider = searchProviders[id];
  const { url, headers, body } = provider.request(query, address, key);
  const request = { url: new URL(url), headers, ...(body === undefined ? {} : { body }) };
  const answer = await egress.send({ ...request, maxBytes, timeoutMs, follows: () => false }, signal);
  if (!answer.ok) return { kind: "failed", reason: reasons[answer.error.reason], detail: answer.error.detail };
  if (answer.value.kind === "redirect") return { kind: "failed", reason: "moved", detail: answer.value.to.href };
  const { status, bytes } = answer.value;
  return provider.read({ status, text: new TextDecoder().decode(bytes) });
}

const reasons: Readonly<Record<EgressFailure["reason"], WebSearchReason>> = {
  not_http: "unreachable",
  not_public: "unreachable",
  unresolved: "unreachable",
  unreachable: "unreachable",
  timeout: "timeout",
  too_many_redirects: "moved",
  bad_answer: "bad_answer",
};

/** An answer may repeat the key. */
const toFailure = (
  { id, address, key }: UsableProvider,
  { reason, detail }: Extract<ProviderResult, { kind: "failed" }>,
): WebSearchFailure => ({
  provider: id,
  reason,
  host: new URL(address).host,
  detail: toForeignLine(makeRedactor({ secrets: [key], homes: [] }).text(detail.slice(0, maxReadChars))),
});

/** Engines mark the words that were searched for. */
const toPlainLine = (text: string, maxChars: number): string =>
  toForeignLine(
    text.slice(0, maxReadChars).replace(/<\/?(?:strong|b|em|mark|span)(?: [^<>]{0,200})?>/gi, ""),
    maxChars,
  );

function cleanHits(hits: readonly WebHit[]): readonly WebHit[] {
  const usable = hits.flatMap((hit) => {
    if (hit.url.length > maxUrlChars || !URL.canParse(hit.url) || !/^https?:/i.test(hit.url)) return [];
    const { href } = new URL(hit.url);
    return estimateTokens(href) > maxUrlTokens ? [] : [{ ...hit, url: href }];
  });
  return [...new Map(usable.map((hit) => [hit.url, hit])).values()]
    .slice(0, maxHits)
    .map(({ title, url, snippet }) => ({
      title: toPlainLine(title, maxTitleChars),
      url,
      snippet: toPlainLine(snippet, maxSnippetChars),
    }));
}
