/** The web for models: `web_search` and `web_fetch`, off until the owner switches them on, and their settings. */
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { WebProviderId, WebState, WebTest } from "@/lib/tools/web";
import type { CatalogueSource, CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { ownSourceIds } from "@/lib/tools/own-sources";
import { StoreError } from "@/server/store/core/store-error";
import type { Feature, FeatureHost } from "../feature";
import { makeEgress, publicEgressOptions } from "@/server/providers/egress/egress";
import { makeFetchTool, readPageText } from "./page/fetch-tool";
import { makePageReader, pageWorkerOptions } from "./page/run-page-worker";
import { makeWebPages, type WebPages } from "./page/web-pages";
import { makeSearchTool } from "./search/search-tool";
import { makeWebSearch, searchClock, searchProviders, type UsableProvider, type WebSearch } from "./search/web-search";
import { complete, makeWebConfigFile, toServerAddress, type WebConfig } from "./web-config";

type WebFeatureHost = Pick<FeatureHost, "home" | "store">;

interface WebParts {
  readonly pages: WebPages;
  readonly search: WebSearch;
}

const testQuery = "weather";

export const webFeature = (host: WebFeatureHost) =>
  makeWebFeature(host, {
    pages: makeWebPages({
      egress: makeEgress(publicEgressOptions),
      readText: makePageReader(pageWorkerOptions),
      now: searchClock.now,
    }),
    search: makeWebSearch({
      // Hosts of search engines are chosen by the owner, whose SearXNG may be in a private network.
      egress: makeEgress({ ...publicEgressOptions, accepts: () => true }),
      ...searchClock,
    }),
  });

/** `parts` = what reaches the network. */
export function makeWebFeature({ home, store }: WebFeatureHost, { pages, search }: WebParts) {
  const file = makeWebConfigFile(home);
  const keys = store.secrets.in("web");
  const stop = new AbortController();
  const usable = (): readonly UsableProvider[] =>
    file.read().providers.flatMap(({ id, isEnabled }) => (isEnabled ? toUsable(id, file.read(), keys.get(id)) : []));
  const fetchTool = makeFetchTool(pages);
  const searchTool = makeSearchTool(search, usable);
  const source = makeSource(() => {
    if (!file.read().isEnabled) return [];
    return usable().length === 0 ? [fetchTool] : [fetchTool, searchTool];
  });
  const state = (): WebState => viewState(file.read(), (id) => keys.get(id) !== null, file.problem());
  const change = (work: () => Result<void>): Result<WebState> => {
    try {
      const changed = work();
      if (!changed.ok) return changed;
    } catch (error) {
      if (error instanceof StoreError) return fail(error.code);
      throw error;
    }
    return ok(state());
  };
  return {
    commands: {
      "web.state": () => ok(state()),
      "web.set"({ isEnabled, providers, searxngAddress }) {
        const config = file.read();
        const address = searxngAddress === undefined ? config.searxngAddress : toAddressOrNone(searxngAddress);
        if (address === null) return fail("bad_input");
        const listed = complete(providers ?? config.providers);
        return change(() =>
          file.write({
            isEnabled: isEnabled ?? config.isEnabled,
            // A first address is given to be used.
            providers: config.searxngAddress === "" && address !== "" ? enable(listed, "searxng") : listed,
            searxngAddress: address,
          }),
        );
      },
      "web.set_key": ({ provider, key }) =>
        change(() => {
          const config = file.read();
          if (key !== "" && keys.get(provider) === null) {
            const written = file.write({ ...config, providers: enable(config.providers, provider) });
            if (!written.ok) return written;
          }
          keys.set(provider, key === "" ? null : key);
          return ok(undefined);
        }),
      async "web.page"({ address }) {
        if (!file.read().isEnabled) return fail("tool_off");
        const text = await readPageText(pages, address, stop.signal);
        return text.ok ? ok({ text: text.value }) : text;
      },
      async "web.test"({ provider }): Promise<Result<WebTest>> {
        const [tested] = toUsable(provider, file.read(), keys.get(provider));
        if (tested === undefined) return fail("bad_input");
        const startedAt = searchClock.now();
        const found = await search.probe(testQuery, tested, stop.signal);
        const ms = Math.round(searchClock.now() - startedAt);
        return ok(found.ok ? { ok: true, hits: found.value, ms } : { ok: false, failure: found.error });
      },
    },
    catalogueSources: [source],
    start: async (signal) => {
      signal.addEventListener("abort", () => stop.abort(), { once: true });
    },
  } satisfies Feature;
}

const enable = (providers: WebConfig["providers"], id: WebProviderId): WebConfig["providers"] =>
  providers.map((one) => (one.id === id ? { id, isEnabled: true } : one));

const toAddressOrNone = (text: string): string | null => (text.trim() === "" ? "" : toServerAddress(text));

/** A list of at most one: an engine without its key or address cannot be asked. */
function toUsable(id: WebProviderId, config: WebConfig, key: string | null): readonly UsableProvider[] {
  const { needs, address: own } = searchProviders[id];
  const address = needs === "address" ? config.searxngAddress : own;
  return address === "" || (needs === "key" && key === null) ? [] : [{ id, address, key: key ?? "" }];
}

/** Returns the same list until it changes. */
function makeSource(list: () => readonly CatalogueTool[]): CatalogueSource {
  let tools: readonly CatalogueTool[] = [];
  return {
    id: ownSourceIds.web,
    instructions: "",
    tools() {
      const next = list();
      if (next.length !== tools.length) tools = next;
      return tools;
    },
  };
}

const viewState = (
  config: WebConfig,
  hasKey: (id: WebProviderId) => boolean,
  problem: AgentError | null,
): WebState => ({
  ...(problem === null ? {} : { problem }),
  isEnabled: config.isEnabled,
  providers: config.providers.map(({ id, isEnabled }) => {
    const { needs, address: own } = searchProviders[id];
    const address = needs === "address" ? config.searxngAddress : own;
    return {
      id,
      isEnabled,
      needs,
      hasKey: hasKey(id),
      address: needs === "address" ? address : "",
      host: address === "" ? "" : new URL(address).host,
    };
  }),
});
