/** Stores the owner's choices for the web in `web.json` of the home; keys are in the key file. */
import { join } from "node:path";
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { type WebProviderId, webProviderIds } from "@/lib/tools/web";
import type { AgentError, Result } from "@/lib/events/error";
import { makeOwnerFile } from "@/server/store/core/owner-file";

export interface WebConfig {
  readonly isEnabled: boolean;
  /** All search engines, in the order in which they are asked. */
  readonly providers: readonly { readonly id: WebProviderId; readonly isEnabled: boolean }[];
  /** Address of the owner's SearXNG; "" = none. */
  readonly searxngAddress: string;
}

interface WebConfigFile {
  /** A file that is missing or cannot be read means that the web is off. */
  read(): WebConfig;
  /** Why the file cannot be read; null = it can, or it is missing. */
  problem(): AgentError | null;
  /** Fails with unreadable_file, no_permission and disk_full. */
  write(config: WebConfig): Result<void>;
}

const fileSchema = z.object({
  isEnabled: z.optional(z.boolean()),
  providers: z.optional(z.array(z.json())),
  searxngAddress: z.optional(z.string()),
});
const providerSchema = z.object({ id: z.enum(webProviderIds), isEnabled: z.boolean() });

/** Content of the file: the choice, and entries of another form, which are written back unchanged. */
interface FileContent {
  readonly config: WebConfig;
  readonly others: readonly Json[];
}

/** DuckDuckGo is ready to be used: it needs neither a key nor a server. */
const defaults: WebConfig = {
  isEnabled: false,
  providers: webProviderIds.map((id) => ({ id, isEnabled: id === "duckduckgo" })),
  searxngAddress: "",
};

export function makeWebConfigFile(home: string): WebConfigFile {
  const file = makeOwnerFile<FileContent>(join(home, "web.json"), {
    missing: { config: defaults, others: [] },
    parse(value) {
      const read = fileSchema.safeParse(value);
      if (!read.success) return null;
      const { isEnabled = false, searxngAddress = "", providers = [] } = read.data;
      const entries = providers.map((entry) => ({ entry, provider: providerSchema.safeParse(entry) }));
      return {
        config: {
          isEnabled,
          searxngAddress: toServerAddress(searxngAddress) ?? "",
          providers: complete(entries.flatMap(({ provider }) => (provider.success ? [provider.data] : []))),
        },
        others: entries.flatMap(({ entry, provider }) => (provider.success ? [] : [entry])),
      };
    },
    print: ({ config: { isEnabled, searxngAddress, providers }, others }) => ({
      isEnabled,
      providers: [...providers.map((one) => ({ ...one })), ...others],
      searxngAddress,
    }),
  });
  return {
    read() {
      const content = file.read();
      return content.ok ? content.value.config : defaults;
    },
    problem() {
      const content = file.read();
      return content.ok ? null : content.error;
    },
    write: (config) => file.change(({ others }) => ({ config, others })),
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
