/** The APIs as the settings show them. */
import { addressScope } from "@/server/base/address-scope";
import { type ApiView, maxApiOperations } from "@/lib/tools/openapi";
import { storedToolState } from "@/lib/tools/tool-definitions";
import type { Api } from "./store/api-files";

export const isPrivateAddress = (address: string): boolean =>
  URL.canParse(address) && addressScope(new URL(address).hostname) !== "internet";

export function viewApi({ id, settings, head, tools }: Api, hasKey: (scheme: string) => boolean): ApiView {
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
    skipped: head.skipped,
    schemes: head.schemes.map((scheme) => ({ ...scheme, hasKey: hasKey(scheme.name) })),
  };
}
