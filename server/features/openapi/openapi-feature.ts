/** The commands of APIs that an OpenAPI document describes, and their operations as sources of the catalogue. */
import { fail, ok, type Result } from "@/lib/events/error";
import { type ApiView, maxApiDocumentBytes, type ApiSkip, maxApiOperations } from "@/lib/tools/openapi";
import { untilAborted } from "@/server/base/abort";
import type { Feature } from "../feature";
import { makeApiToolCommands } from "./api-tool-commands";
import { toAddress } from "./document/servers";
import { type DocumentInput, makeOpenApiService, type OpenApiHost, type OpenApiParts } from "./openapi-service";
import { isUsableKey } from "./request/apply-keys";
import { sendApiRequest } from "./request/send-request";
import type { Api } from "./store/api-files";
import { makeTrialCommands } from "./trial-commands";
import { makeDocumentReader, openApiWorker } from "./worker/run-openapi-worker";
import { addressScope } from "@/server/base/address-scope";
import { storedToolState } from "@/lib/tools/tool-definitions";
import { offeredTools, shownOperation } from "./api-tools";

const isPrivateAddress = (address: string): boolean =>
  URL.canParse(address) && addressScope(new URL(address).hostname) !== "internet";

/** The APIs as the settings show them. */
function viewApi(api: Api, hasKey: (scheme: string) => boolean): ApiView {
  const { id, settings, head } = api;
  const tools = offeredTools(api);
  const states = tools.map(storedToolState);
  const count = (...wanted: readonly string[]): number => states.filter((state) => wanted.includes(state)).length;
  return {
    id,
    title: head.title,
    version: head.version,
    format: head.format,
    origin: settings.origin,
    loadedAt: settings.loadedAt,
    address: settings.address,
    addresses: head.addresses,
    isConfirmed: settings.isConfirmed,
    isPrivate: isPrivateAddress(settings.address),
    isEnabled: settings.isEnabled,
    counts: {
      operations: head.operations,
      tools: Math.min(tools.filter(({ current }) => current !== null).length, maxApiOperations),
      ready: count("ready"),
      waiting: count("new", "changed", "gone"),
    },
    skipped: [...head.skipped, ...skipsAtOtherHosts(api, new Set(tools))],
    schemes: head.schemes.map((scheme) => ({ ...scheme, hasKey: hasKey(scheme.name) })),
  };
}

const maxShownSkips = 500;

/** Operations whose own addresses are all at other hosts than the confirmed one. */
function skipsAtOtherHosts({ tools }: Api, offered: ReadonlySet<Api["tools"][number]>): readonly ApiSkip[] {
  return tools
    .filter((tool) => !offered.has(tool))
    .slice(0, maxShownSkips)
    .map((tool) => {
      const { method, path, addresses = [] } = shownOperation(tool).request;
      return { operation: `${method} ${path}`, kind: "other_host", detail: (addresses[0] ?? "").slice(0, 300) };
    });
}

/** Texts that are held at once; the oldest one is dropped. */
const maxUploads = 2;

interface Upload {
  readonly parts: string[];
  chars: number;
}

/** Texts that a page sends in parts, because a message is smaller than a document. In memory, for a short time. */
function makeUploads() {
  const uploads = new Map<string, Upload>();
  return {
    /** Adds the part with this index. Fails with bad_input if one before is missing, with too_large. */
    add(id: string, part: number, text: string): Result<null> {
      if (part === 0) {
        uploads.delete(id);
        uploads.set(id, { parts: [], chars: 0 });
        for (const oldest of uploads.keys()) if (uploads.size > maxUploads) uploads.delete(oldest);
      }
      const upload = uploads.get(id);
      if (upload === undefined || upload.parts.length !== part)
        return fail("bad_input", undefined, { reason: "upload" });
      upload.parts.push(text);
      upload.chars += text.length;
      if (upload.chars <= maxApiDocumentBytes) return ok(null);
      uploads.delete(id);
      return fail("too_large", undefined, { limit: maxApiDocumentBytes });
    },
    /** Returns the whole text and forgets it. */
    take(id: string): Result<Uint8Array> {
      const upload = uploads.get(id);
      uploads.delete(id);
      if (upload === undefined) return fail("bad_input", undefined, { reason: "upload" });
      const bytes = Buffer.from(upload.parts.join(""));
      return bytes.length <= maxApiDocumentBytes
        ? ok(bytes)
        : fail("too_large", undefined, { limit: maxApiDocumentBytes });
    },
  };
}

export const openApiFeature = (host: OpenApiHost) =>
  makeOpenApiFeature(host, { readDocument: makeDocumentReader(openApiWorker), send: sendApiRequest });

/** `parts` = the worker, and what reaches the network. */
export function makeOpenApiFeature(host: OpenApiHost, parts: OpenApiParts) {
  const stop = new AbortController();
  const service = makeOpenApiService(host, parts, stop.signal);
  const uploads = makeUploads();
  const view = (api: Api): ApiView => viewApi(api, (scheme) => service.hasKey(api.id, scheme));
  const viewed = (result: Result<Api>): Result<ApiView> => (result.ok ? ok(view(result.value)) : result);
  const find = async (id: string): Promise<Result<Api>> => {
    await service.load();
    const api = service.listed().find((one) => one.id === id);
    return api === undefined ? fail("not_found") : ok(api);
  };
  const change = async (id: string, work: (api: Api) => Result<Api>): Promise<Result<ApiView>> =>
    viewed(await service.changeApi(id, work));
  const takeText = (upload: string, name: string | undefined): Result<DocumentInput> => {
    const bytes = uploads.take(upload);
    return bytes.ok ? ok({ kind: "text", bytes: bytes.value, name: name ?? null }) : bytes;
  };
  return {
    commands: {
      async "openapi.state"() {
        await service.load();
        return ok({ apis: service.listed().map(view), problems: service.problems() });
      },
      "openapi.upload": ({ upload, part, text }) => uploads.add(upload, part, text),
      async "openapi.add"({ url, upload, name }) {
        if (url !== undefined) return viewed(await service.add({ kind: "url", url }));
        const text = upload === undefined ? fail("bad_input") : takeText(upload, name);
        return text.ok ? viewed(await service.add(text.value)) : text;
      },
      async "openapi.reload"({ api, upload, name }) {
        const text = upload === undefined ? ok(null) : takeText(upload, name);
        return text.ok ? viewed(await service.reload(api, text.value)) : text;
      },
      "openapi.confirm": ({ api, address: written }) =>
        change(api, (found) => {
          const address = toAddress(written, null);
          if (address === null) return fail("bad_input", undefined, { reason: "address" });
          return ok({ ...found, settings: { ...found.settings, address, isConfirmed: true } });
        }),
      "openapi.enable": ({ api, isEnabled }) =>
        change(api, (found) => ok({ ...found, settings: { ...found.settings, isEnabled } })),
      "openapi.remove": ({ api }) => service.remove(api),
      async "openapi.set_key"({ api, scheme, key }) {
        const found = await find(api);
        if (!found.ok) return found;
        const place = found.value.head.schemes.find(({ name }) => name === scheme)?.place;
        const isComplete = place !== "basic" || key.includes(":");
        if (key !== "" && (!isUsableKey(key) || !isComplete))
          return fail("bad_input", undefined, { reason: isComplete ? "key" : "key_pair" });
        return viewed(await service.setKey(api, scheme, key === "" ? null : key));
      },
      ...makeApiToolCommands(find, change),
      ...makeTrialCommands({ find, run: service.run, storeBlob: host.store.blobs.putAsync, stop: stop.signal }),
    },
    get catalogueSources() {
      return service.sources();
    },
    async start(signal) {
      await untilAborted(signal);
      stop.abort();
    },
  } satisfies Feature;
}
