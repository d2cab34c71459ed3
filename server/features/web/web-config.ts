/** What the owner chose for the web, in `web.json` of the home; keys are in the key file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { type WebProviderId, webProviderIds } from "@/lib/tools/web";
import { parseJson } from "@/server/base/parse-json";
import { writePrivateFile } from "@/server/store/core/private-file";
import { toStoreError } from "@/server/store/core/store-error";

export interface WebConfig {
  readonly isEnabled: boolean;
  /** All search engines, in the order in which they are asked. */
  readonly providers: readonly { readonly id: WebProviderId; readonly isEnabled: boolean }[];
  /** Of the owner's SearXNG; "" = none. */
  readonly searxngAddress: string;
}

export interface WebConfigFile {
  read(): WebConfig;
  /** Throws StoreError. */
  write(config: WebConfig): void;
}

const fileSchema = z.object({
  isEnabled: z.catch(z.boolean(), false),
  providers: z.catch(z.array(z.object({ id: z.enum(webProviderIds), isEnabled: z.boolean() })), []),
  searxngAddress: z.catch(z.string(), ""),
});

/** DuckDuckGo is ready to be used: it needs neither a key nor a server. */
const defaults: WebConfig = {
  isEnabled: false,
  providers: webProviderIds.map((id) => ({ id, isEnabled: id === "duckduckgo" })),
  searxngAddress: "",
};

export function makeWebConfigFile(home: string): WebConfigFile {
  const path = join(home, "web.json");
  let config: WebConfig | undefined;
  return {
    read: () => (config ??= readConfig(path)),
    write(next) {
      try {
        writePrivateFile(path, `${JSON.stringify(next, null, 2)}\n`);
      } catch (error) {
        throw toStoreError(error, path);
      }
      config = next;
    },
  };
}

/** A file that is missing or damaged means that the web is off. */
function readConfig(path: string): WebConfig {
  const read = fileSchema.safeParse(parseJson(readText(path)));
  if (!read.success) return defaults;
  const { isEnabled, searxngAddress } = read.data;
  return { isEnabled, searxngAddress: toServerAddress(searxngAddress) ?? "", providers: complete(read.data.providers) };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
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
