/** The tool `web_search`: titles, addresses and snippets, marked with the engine that found them. */
import { catalogueToolDescription } from "@/server/prompts/prompts";
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { WebProviderId, WebSearchFailure } from "@/lib/tools/web";
import { ToolError } from "@/server/tools/core/tool";
import type { CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { cutText, toOneLine } from "@/server/tools/toolbox/foreign-text";
import { countPieceTokens, cutToTokens } from "@/server/tools/toolbox/line-tokens";
import { defineWebTool } from "../web-tool";
import type { WebHit } from "./provider";
import type { SearchResults, UsableProvider, WebSearch } from "./web-search";

const name = "web_search";
const maxQueryChars = 400;
const maxResultTokens = 400;
/** Limit of the notes about engines that failed before. */
const maxNotesTokens = 80;
/** Texts that are joined can have some tokens more than they have alone. */
const spareTokens = 4;

const providerNames: Readonly<Record<WebProviderId, string>> = {
  searxng: "SearXNG",
  brave: "Brave",
  tavily: "Tavily",
  bocha: "Bocha",
  duckduckgo: "DuckDuckGo",
};

const parameters: Json = { type: "object", properties: { query: { type: "string" } }, required: ["query"] };
const inputSchema = z.object({ query: z.string() });

/** `providers` = those that can be asked now, in the owner's order; at least one. */
export const makeSearchTool = (search: WebSearch, providers: () => readonly UsableProvider[]): CatalogueTool =>
  defineWebTool<string>({
    name,
    description: catalogueToolDescription(name),
    parameters,
    read(input) {
      const query = toOneLine(inputSchema.safeParse(input).data?.query ?? "");
      if (query !== "") return { value: query.slice(0, maxQueryChars) };
      return { problem: `query must not be empty. Call it like this: ${name} {"query":"words"}` };
    },
    target: (query) => query,
    hosts: () => [...new Set(providers().map(({ address }) => new URL(address).hostname))],
    sent: (query) => query,
    async run(query, _dependencies, signal) {
      const results = await search.search(query, providers(), signal);
      if (results.provider === null) throw toSearchError(results.failures);
      return { output: [{ type: "text", text: formatResults(query, results, results.provider) }], facts: {} };
    },
  });

/** Leaves out the last results until the rest fits, and shortens the texts of a single one. */
function formatResults(query: string, { hits, failures }: SearchResults, provider: WebProviderId): string {
  const notes = failures.map((failure) => `[${describeFailure(failure)}]`).join("\n");
  const head = `[from ${providerNames[provider]}]`;
  const join = (parts: readonly string[]): string =>
    [head, ...parts, ...(notes === "" ? [] : [cutToTokens(notes, maxNotesTokens)])].join("\n");
  const [first] = hits;
  if (first === undefined) return join([`No results for ${JSON.stringify(cutText(query, 80))}.`]);
  const shown = hits.map(formatHit);
  let count = shown.length;
  while (count > 0 && estimateTokens(join(shown.slice(0, count))) > maxResultTokens) count -= 1;
  if (count > 0) return join(shown.slice(0, count));
  const room =
    maxResultTokens - countPieceTokens(join([formatHit({ ...first, title: "", snippet: "" }, 0)])) - spareTokens;
  const title = cutToTokens(first.title, room / 2);
  return join([formatHit({ ...first, title, snippet: cutToTokens(first.snippet, room / 2) }, 0)]);
}

const formatHit = ({ title, url, snippet }: WebHit, index: number): string =>
  [`${index + 1}. ${title}`.trimEnd(), url, ...(snippet === "" ? [] : [snippet])].join("\n");

/** One sentence: what happened. */
function describeFailure({ provider, reason, host, detail }: WebSearchFailure): string {
  const engine = providerNames[provider];
  switch (reason) {
    case "blocked":
      return `${engine} blocked the search (${detail}).`;
    case "no_json":
      return `${engine} at ${host} gives no JSON: its settings.yml needs json under search.formats.`;
    case "key":
      return `${engine} refused its API key (${detail}).`;
    case "quota":
      return `${engine}: the quota of its API key is used up (${detail}).`;
    case "moved":
      return `${engine} at ${host} redirects to ${detail}.`;
    case "timeout":
      return `${engine} at ${host} did not answer within 15 s.`;
    case "unreachable":
      return `${engine} at ${host} was not reached (${detail}).`;
    case "bad_answer":
      return `${engine} at ${host} gave no readable answer (${detail}).`;
  }
}

function toSearchError(failures: readonly WebSearchFailure[]): ToolError {
  const isBlocked = failures.some(({ reason }) => reason === "blocked");
  const next = isBlocked
    ? "This is not the same as no results. Do not repeat it now; go on without, or ask the user to wait some minutes or to add another search engine in Settings > Web."
    : "Do not repeat it; go on without, or ask the user to look at Settings > Web.";
  return new ToolError("tool_failed", [...failures.map(describeFailure), next].join(" "));
}
