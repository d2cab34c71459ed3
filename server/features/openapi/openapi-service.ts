/** The APIs of the home: loaded once, changed one after the other. Nothing is fetched before the owner asks for it. */
import { basename } from "node:path";
import type { Steps } from "@/lib/async/steps";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import { computeHash } from "@/server/base/id";
import { makeSlots } from "@/server/base/concurrency";
import { loadOnce } from "@/lib/async/load-once";
import { type ApiOrigin, maxApis } from "@/lib/tools/openapi";
import { approveAll, mergeListed } from "@/lib/tools/tool-definitions";
import { runStepsInSlices } from "@/server/base/steps";
import { forgetToolSource } from "@/server/session/service/forget-tool-source";
import { StoreError } from "@/server/store/core/store-error";
import type { CatalogueSource, CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { ownSourceIds } from "@/lib/tools/own-sources";
import { toSourceId } from "@/server/tools/toolbox/tool-name";
import type { FeatureHost } from "../feature";
import { describeUnlistedApi, makeApiTools } from "./api-tools";
import { makeRunApiCall, type RunApiCall } from "./call-api";
import { fetchDocument, readDocumentUrl } from "./document/fetch-document";
import type { ApiOperation } from "./operations/operation";
import type { SendApiRequest } from "./request/send-request";
import { type Api, type ApiFiles, makeApiFiles, readApiLines } from "./store/api-files";
import type { ReadDocument } from "./worker/run-openapi-worker";

export type OpenApiHost = Pick<FeatureHost, "home" | "store" | "now" | "push">;

export interface OpenApiParts {
  readonly readDocument: ReadDocument;
  readonly send: SendApiRequest;
}

/** A document that the owner gave: its text, or the address to fetch it from. */
export type DocumentInput =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "text"; readonly bytes: Uint8Array; readonly name: string | null };

interface LoadedDocument extends Pick<Api, "head"> {
  readonly operations: readonly ApiOperation[];
  readonly origin: ApiOrigin;
  readonly bytes: Uint8Array;
  readonly lines: Uint8Array;
}

export function makeOpenApiService(host: OpenApiHost, parts: OpenApiParts, stop: AbortSignal) {
  const { store, now } = host;
  const files = makeApiFiles(host.home);
  const keys = store.secrets.in("openapi");
  const { apis, load, change, changeApi, listed, problems, dropProblem } = makeApiList(files, stop);
  const keyName = (id: string, scheme: string): string => `${id}.${encodeURIComponent(scheme)}`;
  const keyOf = (id: string, scheme: string): string | null => keys.get(keyName(id, scheme));
  const run = ({ id }: Pick<Api, "id">): RunApiCall =>
    makeRunApiCall({ find: () => apis.get(id), keyOf: (scheme) => keyOf(id, scheme), send: parts.send });
  const readDocument = makeReadInput(parts.readDocument, stop);
  const save = async (api: Api, { bytes, lines }: LoadedDocument): Promise<Result<Api>> => {
    await files.saveDocument(api, bytes, lines);
    apis.set(api.id, api);
    return ok(api);
  };
  return {
    load,
    listed,
    problems,
    changeApi,
    hasKey: (id: string, scheme: string): boolean => keyOf(id, scheme) !== null,
    run,
    sources: makeSources(load, listed, run),
    /** Fails with exists, and the `name` and `id` of the API, when a description at the address is there already. */
    async add(input: DocumentInput): Promise<Result<Api>> {
      await load();
      const read = failExisting(apis, input) ?? (await readDocument(input));
      if (!read.ok) return read;
      return change(async () => {
        const existing = failExisting(apis, input);
        if (existing !== null) return existing;
        if (apis.size >= maxApis) return fail("too_many", undefined, { limit: maxApis });
        const { head, operations, origin } = read.value;
        const taken = [...apis.keys(), ...problems().map((one) => one.id), ...otherIds(store)];
        const id = freeId(head.title, origin, taken);
        const settings = { origin, loadedAt: now(), ...chooseAddress(head.addresses, origin), isEnabled: true };
        const api = { id, head, settings, tools: approveAll([], toListed(operations)) };
        return reserveId(store, files, id, () => save(api, read.value));
      });
    },
    /** Reads the document again; what has changed waits for an approval. The address stays as it was confirmed. */
    async reload(id: string, text: DocumentInput | null): Promise<Result<Api>> {
      await load();
      const origin = apis.get(id)?.settings.origin;
      if (origin === undefined) return fail("not_found");
      const input = text ?? (origin.kind === "url" ? { kind: "url" as const, url: origin.url } : null);
      if (input === null) return fail("bad_input", undefined, { reason: "upload" });
      const read = await readDocument(input);
      if (!read.ok) return read;
      return change(async () => {
        const api = apis.get(id);
        if (api === undefined) return fail("not_found");
        const { head, operations } = read.value;
        const address = api.settings.isConfirmed ? {} : chooseAddress(head.addresses, read.value.origin);
        const settings = { ...api.settings, ...address, origin: read.value.origin, loadedAt: now() };
        return save({ id, head, settings, tools: mergeListed(api.tools, toListed(operations)) }, read.value);
      });
    },
    setKey: (id: string, scheme: string, key: string | null): Promise<Result<Api>> =>
      changeApi(id, (api) => {
        if (!api.head.schemes.some(({ name, place }) => name === scheme && place !== null)) return fail("not_found");
        keys.set(keyName(id, scheme), key);
        return ok(api);
      }),
    remove: (id: string): Promise<Result<null>> =>
      change(async () => {
        const api = apis.get(id);
        if (api === undefined && !problems().some((one) => one.id === id)) return fail("not_found");
        await files.remove(id);
        // Also those of schemes that the document had before: the next API of this name may be at another host.
        keys.clear(keyName(id, ""));
        store.toolSources.remove(sourceKey(id));
        forgetToolSource(store, host.push, id);
        apis.delete(id);
        dropProblem(id);
        return ok(null);
      }),
  };
}

/** Names the API whose description is at the same address; null = there is none. */
function failExisting(apis: ReadonlyMap<string, Api>, input: DocumentInput): Result<never> | null {
  const origin = toOrigin(input);
  if (origin.kind !== "url") return null;
  const existing = [...apis.values()].find(
    ({ settings }) => settings.origin.kind === "url" && settings.origin.url === origin.url,
  );
  if (existing === undefined) return null;
  const { id, head } = existing;
  return fail("exists", undefined, { id, name: head.title === "" ? id : head.title });
}

/** Takes the id of a new API from other sources, then stores it. Nothing is left of one that cannot be stored as a whole. */
async function reserveId<T>(
  { toolSources }: Pick<FeatureHost["store"], "toolSources">,
  files: ApiFiles,
  id: string,
  save: () => Promise<T>,
): Promise<T> {
  toolSources.save(sourceKey(id), { launch: computeHash(id), instructions: "", tools: [] });
  try {
    return await save();
  } catch (error) {
    toolSources.remove(sourceKey(id));
    await files.remove(id).catch(() => {});
    throw error;
  }
}

/** The APIs in memory, and their changes, one after the other. */
function makeApiList(files: ApiFiles, stop: AbortSignal) {
  const inTurn = makeSlots(1);
  const apis = new Map<string, Api>();
  let problems: readonly { readonly id: string; readonly error: AgentError }[] = [];
  const load = loadOnce(async () => {
    const read = await files.readAll(stop);
    for (const api of read.apis) apis.set(api.id, api);
    ({ problems } = read);
  });
  /** Runs a change; what the store throws is an error of the command. */
  const change = <T>(work: () => Promise<Result<T>>): Promise<Result<T>> =>
    inTurn(async () => {
      try {
        await load();
        return await work();
      } catch (error) {
        if (error instanceof StoreError) return fail(error.code);
        throw error;
      }
    });
  return {
    apis,
    load,
    change,
    listed: (): readonly Api[] => [...apis.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    problems: () => problems,
    dropProblem(id: string): void {
      problems = problems.filter((one) => one.id !== id);
    },
    changeApi: (id: string, work: (api: Api) => Result<Api>): Promise<Result<Api>> =>
      change(async () => {
        const api = apis.get(id);
        const changed = api === undefined ? fail("not_found") : work(api);
        if (!changed.ok) return changed;
        await files.save(changed.value);
        apis.set(id, changed.value);
        return changed;
      }),
  };
}

/** Returns a function that gets a document and has it read. */
const makeReadInput =
  (read: ReadDocument, stop: AbortSignal) =>
  async (input: DocumentInput): Promise<Result<LoadedDocument>> => {
    const fetched = input.kind === "url" ? await fetchDocument(input.url, stop) : ok({ bytes: input.bytes, url: null });
    if (!fetched.ok) return fetched;
    const { bytes, url } = fetched.value;
    const lines = await read(bytes, url, stop);
    if (!lines.ok) return lines;
    const [head, operations] = await readApiLines(lines.value, stop);
    if (head === null) return fail("bad_input", undefined, { reason: "too_complex" });
    return ok({ head, operations, origin: toOrigin(input), bytes, lines: lines.value });
  };

const sourceKey = (id: string) => ({ kind: "openapi" as const, projectId: null, name: id });

const otherIds = ({ toolSources }: Pick<FeatureHost["store"], "toolSources">): readonly string[] => [
  ...toolSources.names("mcp").map(toSourceId),
  ...toolSources.names("extension"),
];

const toListed = (operations: readonly ApiOperation[]) =>
  operations.map((definition) => ({ ownName: definition.name, definition }));

const toOrigin = (input: DocumentInput): ApiOrigin => {
  if (input.kind === "url") return { kind: "url", url: readDocumentUrl(input.url)?.href ?? input.url };
  return input.name === null ? { kind: "paste" } : { kind: "file", name: basename(input.name).slice(0, 200) };
};

/** The owner confirmed the host of a document by typing it; another one is confirmed on the page. */
function chooseAddress(
  addresses: readonly string[],
  origin: ApiOrigin,
): { readonly address: string; readonly isConfirmed: boolean } {
  const typed = origin.kind === "url" ? new URL(origin.url).origin : null;
  const same = addresses.find((address) => new URL(address).origin === typed);
  return same === undefined
    ? { address: addresses[0] ?? "", isConfirmed: false }
    : { address: same, isConfirmed: true };
}

/** The start of its tools' names: of its title, else of its host. */
function freeId(title: string, origin: ApiOrigin, taken: readonly string[]): string {
  const words = title.replace(/\b(?:open|swagger|api|rest|v?\d+(?:\.\d+)*)\b/gi, " ").trim();
  const host = origin.kind === "url" ? new URL(origin.url).hostname : "";
  const plain = toSourceId([words, title, host].find((name) => /[A-Za-z0-9]/.test(name)) ?? "api");
  const used = new Set<string>([...Object.values(ownSourceIds), ...taken]);
  let id = plain;
  for (let number = 2; used.has(id); number += 1) id = `${plain}${number}`;
  return id;
}

/**
 * The sources of the catalogue; the first one has no tools: before a prompt is composed, it reads the files and makes the
 * tools, an API at a time.
 */
function makeSources(
  load: () => Promise<void>,
  listed: () => readonly Api[],
  makeRun: (api: Api) => RunApiCall,
): () => readonly CatalogueSource[] {
  const noTools: readonly CatalogueTool[] = [];
  const bySettings = new WeakMap<Api, readonly CatalogueTool[]>();
  const toolsOf = (api: Api): readonly CatalogueTool[] => {
    if (!api.settings.isEnabled) return noTools;
    const tools = bySettings.get(api) ?? makeApiTools(api, makeRun(api));
    bySettings.set(api, tools);
    return tools;
  };
  function* makeAll(): Steps<void> {
    for (const api of listed()) {
      toolsOf(api);
      yield;
    }
  }
  const loader: CatalogueSource = {
    id: "openapi",
    instructions: "",
    tools: () => noTools,
    unlisted: () => listed().map(describeUnlistedApi),
    async prepare(_projectId, signal) {
      await load();
      await runStepsInSlices(makeAll(), signal);
    },
  };
  return () => [
    loader,
    ...listed().map((api) => ({
      id: api.id,
      instructions: api.head.description.slice(0, 2_000),
      tools: () => toolsOf(api),
    })),
  ];
}
