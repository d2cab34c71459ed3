/** Search engines that answer in JSON: SearXNG, Brave, Tavily, Bocha. */
import * as z from "zod/mini";
import { parseJson } from "@/server/base/parse-json";
import {
  maxHits,
  maxReadHits,
  type ProviderAnswer,
  type ProviderResult,
  type WebHit,
  type SearchProvider,
} from "./provider";

const intervalMs = 1_000;
const text = z.catch(z.string(), "");

/** Makes a schema of a list of hits whose fields have these names. */
const hitList = <T extends string>(title: T, url: T, snippets: readonly T[]) =>
  z.pipe(
    // Only the start of a longer list is examined.
    z.pipe(
      z.array(z.unknown()),
      z.transform((list) => list.slice(0, maxReadHits)),
    ),
    z.pipe(
      z.array(z.record(z.string(), z.unknown())),
      z.transform((list) =>
        list.map(
          (one): WebHit => ({
            title: text.parse(one[title]),
            url: text.parse(one[url]),
            snippet: snippets.map((name) => text.parse(one[name])).find((found) => found !== "") ?? "",
          }),
        ),
      ),
    ),
  );

const searxngSchema = z.object({
  results: hitList("title", "url", ["content"]),
  /** Engines that it asked in vain, with the reasons. */
  unresponsive_engines: z.catch(z.array(z.array(z.string())), []),
});
const braveSchema = z.object({ web: z.optional(z.object({ results: hitList("title", "url", ["description"]) })) });
const tavilySchema = z.object({ results: hitList("title", "url", ["content"]) });
const bochaSchema = z.object({
  data: z.object({ webPages: z.optional(z.object({ value: hitList("name", "url", ["summary", "snippet"]) })) }),
});

const failed = (reason: Extract<ProviderResult, { kind: "failed" }>["reason"], detail: string): ProviderResult => ({
  kind: "failed",
  reason,
  detail,
});

function readHits(answer: ProviderAnswer, parse: (value: unknown) => readonly WebHit[] | null): ProviderResult {
  const hits = parse(parseJson(answer.text));
  return hits === null ? failed("bad_answer", "the answer has another form") : { kind: "hits", hits };
}

/** Failures by status that all services share. `keyStatus` = those that say that the key is wrong. */
function readService(
  answer: ProviderAnswer,
  keyStatus: readonly number[],
  quotaStatus: readonly number[],
  parse: (value: unknown) => readonly WebHit[] | null,
): ProviderResult {
  const { status } = answer;
  if (keyStatus.includes(status)) return failed("key", String(status));
  if (quotaStatus.includes(status)) return failed("quota", String(status));
  return status === 200 ? readHits(answer, parse) : failed("bad_answer", String(status));
}

export const searxng: SearchProvider = {
  id: "searxng",
  needs: "address",
  address: "",
  intervalMs,
  request: (query, address) => {
    const url = new URL(`${address.replace(/\/+$/, "")}/search`);
    url.search = new URLSearchParams({ q: query, format: "json" }).toString();
    return { url: url.href, headers: { Accept: "application/json" } };
  },
  read(answer) {
    // JSON is off in its settings at first, which it reports as forbidden.
    if (answer.status === 403) return failed("no_json", "403");
    if (answer.status === 429) return failed("blocked", "429");
    if (answer.status !== 200) return failed("bad_answer", String(answer.status));
    if (answer.text.trimStart().startsWith("<")) return failed("no_json", "HTML in place of JSON");
    const { results, unresponsive_engines: unresponsive } = searxngSchema.safeParse(parseJson(answer.text)).data ?? {};
    if (results === undefined || unresponsive === undefined) return failed("bad_answer", "the answer has another form");
    return results.length === 0 && unresponsive.length > 0
      ? failed("blocked", unresponsive.map((engine) => engine.join(": ")).join(", "))
      : { kind: "hits", hits: results };
  },
};

export const brave: SearchProvider = {
  id: "brave",
  needs: "key",
  address: "https://api.search.brave.com",
  intervalMs,
  request: (query, address, key) => ({
    url: `${address}/res/v1/web/search?${new URLSearchParams({ q: query, count: String(maxHits) })}`,
    headers: { Accept: "application/json", "X-Subscription-Token": key },
  }),
  read: (answer) =>
    readService(answer, [401, 403, 422], [402, 429], (value) => {
      const read = braveSchema.safeParse(value);
      return read.success ? (read.data.web?.results ?? []) : null;
    }),
};

export const tavily: SearchProvider = {
  id: "tavily",
  needs: "key",
  address: "https://api.tavily.com",
  intervalMs,
  request: (query, address, key) => ({
    url: `${address}/search`,
    headers: { Accept: "application/json", "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, max_results: maxHits }),
  }),
  read: (answer) =>
    readService(answer, [401, 403], [429, 432, 433], (value) => tavilySchema.safeParse(value).data?.results ?? null),
};

export const bocha: SearchProvider = {
  id: "bocha",
  needs: "key",
  address: "https://api.bochaai.com",
  intervalMs,
  request: (query, address, key) => ({
    url: `${address}/v1/web-search`,
    headers: { Accept: "application/json", "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, count: maxHits, summary: true }),
  }),
  read: (answer) =>
    readService(answer, [401], [402, 403, 429], (value) => {
      const read = bochaSchema.safeParse(value);
      return read.success ? (read.data.data.webPages?.value ?? []) : null;
    }),
};
