/** The tool `web_search`: titles, addresses and snippets, marked with the engine that found them. */
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { WebProviderId, WebSearchFailure } from "@/lib/tools/web";
import { ToolError } from "@/server/tools/core/tool";
import type { CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { cutText, toOneLine } from "@/server/tools/toolbox/foreign-text";
import { defineWebTool } from "../web-tool";
import type { SearchResults, UsableProvider, WebSearch } from "./web-search";

const name = "web_search";
const maxQueryChars = 400;
const maxResultTokens = 400;

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
    description: "Searches the web: titles, addresses and first words of 5 pages.",
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

/** Leaves out the last results until the rest fits. */
function formatResults(query: string, { hits, failures }: SearchResults, provider: WebProviderId): string {
  const notes = failures.map((failure) => `[${describeFailure(failure)}]`);
  const head = `[from ${providerNames[provider]}]`;
  const shown = hits.map(({ title, url, snippet }, index) =>
    [`${index + 1}. ${title || url}`, url, ...(snippet === "" ? [] : [snippet])].join("\n"),
  );
  const join = (count: number): string => [head, ...shown.slice(0, count), ...notes].join("\n");
  if (shown.length === 0)
    return join(0).replace(head, `${head}\nNo results for ${JSON.stringify(cutText(query, 80))}.`);
  let count = shown.length;
  while (count > 1 && estimateTokens(join(count)) > maxResultTokens) count -= 1;
  return join(count);
}

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
