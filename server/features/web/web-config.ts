/** What the owner chose for the web, in `web.json` of the home; keys are in the key file. */
import { join } from "node:path";
import * as z from "zod/mini";
import { type WebProviderId, webProviderIds } from "@/lib/tools/web";
import type { AgentError, Result } from "@/lib/events/error";
import { makeOwnerFile } from "@/server/store/core/owner-file";

export interface WebConfig {
  readonly isEnabled: boolean;
  /** All search engines, in the order in which they are asked. */
  readonly providers: readonly { readonly id: WebProviderId; readonly isEnabled: boolean }[];
  /** Of the owner's SearXNG; "" = none. */
  readonly searxngAddress: string;
}

export interface WebConfigFile {
  /** A file that is missing or cannot be read means that the web is off. */
  read(): WebConfig;
  /** Why the file cannot be read; null = it can, or it is missing. */
  problem(): AgentError | null;
  /** Fails with unreadable_file, no_permission and disk_full. */
  write(config: WebConfig): Result<void>;
}

const fileSchema = z.object({
  isEnabled: z.catch(z.boolean(), false),
  providers: z.catch(
    z.array(z.catch(z.nullable(z.object({ id: z.enum(webProviderIds), isEnabled: z.boolean() })), null)),
    [],
  ),
  searxngAddress: z.catch(z.string(), ""),
});

/** DuckDuckGo is ready to be used: it needs neither a key nor a server. */
const defaults: WebConfig = {
  isEnabled: false,
  providers: webProviderIds.map((id) => ({ id, isEnabled: id === "duckduckgo" })),
  searxngAddress: "",
};

export function makeWebConfigFile(home: string): WebConfigFile {
  const file = makeOwnerFile<WebConfig>(join(home, "web.json"), {
    missing: defaults,
    parse(value) {
      const read = fileSchema.safeParse(value);
      if (!read.success) return null;
      const { isEnabled, searxngAddress, providers } = read.data;
      return {
        isEnabled,
        searxngAddress: toServerAddress(searxngAddress) ?? "",
        providers: complete(providers.filter((one) => one !== null)),
      };
    },
    print: ({ isEnabled, searxngAddress, providers }) => ({
      isEnabled,
      providers: providers.map((one) => ({ ...one })),
      searxngAddress,
    }),
  });
  return {
    read() {
      const config = file.read();
      return config.ok ? config.value : defaults;
    },
    problem() {
      const config = file.read();
      return config.ok ? null : config.error;
    },
    write: (config) => file.change(() => config),
  };
}

/** Returns every engine once: those of the list first, then the others, which are off. */
export function complete(listed: WebConfig["providers"]): WebConfig["providers"] {
  const byId = new Map(listed.map((one) => [one.id, one]));
  for (const id of webProviderIds) if (!byId.has(id)) byId.set(id, { id, isEnabled: false });
  return [...byId.values()];
}

/** Returns the address of a server without query and final slash; null = not an http or https address. */
export function toServerAddress(text: string): string | null {
  const trimmed = text.trim();
  const address = trimmed.includes("://") ? trimmed : `http://${trimmed}`;
  if (trimmed === "" || !URL.canParse(address)) return null;
  const { protocol, username, password, origin, pathname } = new URL(address);
  if ((protocol !== "http:" && protocol !== "https:") || username !== "" || password !== "") return null;
  return origin + pathname.replace(/\/+$/, "");
}
