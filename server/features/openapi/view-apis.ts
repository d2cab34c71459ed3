/** The APIs as the settings show them. */
import { addressScope } from "@/server/base/address-scope";
import { type ApiSkip, type ApiView, maxApiOperations } from "@/lib/tools/openapi";
import { storedToolState } from "@/lib/tools/tool-definitions";
import { offeredTools, shownOperation } from "./api-tools";
import type { Api } from "./store/api-files";

const isPrivateAddress = (address: string): boolean =>
  URL.canParse(address) && addressScope(new URL(address).hostname) !== "internet";

export function viewApi(api: Api, hasKey: (scheme: string) => boolean): ApiView {
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
