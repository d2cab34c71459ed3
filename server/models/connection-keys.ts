/** Finds a connection's key, and builds the connection configured by environment variables. Pure. */
import { environmentId } from "@/lib/connection-instead";
import type { Connection } from "@/lib/models";
import { staysLocal } from "@/server/providers/openai-host";
import { type Preset, presetOf, presets } from "@/server/providers/presets";
import { type KeptConnection, soundBase } from "./connection-input";

type Environment = NodeJS.Dict<string>;

const variables = { base: "OPENAI_BASE_URL", key: "OPENAI_API_KEY" } as const;

const valueOf = (environment: Environment, name: string): string | null => environment[name]?.trim() || null;

export interface FoundKey {
  readonly told: Connection["key"];
  /** null = none */
  readonly key: string | null;
}

/** The stored key, else the first of the preset's variables that is set. */
export function findKey(connection: KeptConnection, kept: string | null, environment: Environment): FoundKey {
  if (kept !== null) return { told: { from: "file" }, key: kept };
  for (const name of variablesOf(connection)) {
    const key = valueOf(environment, name);
    if (key !== null) return { told: { from: "environment", name }, key };
  }
  return { told: { from: "none" }, key: null };
}

/** An environment key belongs to one server: it is not used for another owner's address. */
function variablesOf({ id, preset: presetId, baseUrl }: KeptConnection): readonly string[] {
  if (id === environmentId) return [variables.key];
  const preset = presetOf(presetId);
  const isTheirs = preset.local ? staysLocal(preset, baseUrl) : isOfSameOwner(preset, baseUrl);
  return isTheirs ? preset.keyEnvironment : [];
}

const ownerOf = (url: URL): string => url.hostname.split(".").slice(-2).join(".");

/** Services have one address per region, below one domain. */
function isOfSameOwner({ baseUrl }: Preset, address: string): boolean {
  if (!URL.canParse(baseUrl) || !URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === "https:" && ownerOf(url) === ownerOf(new URL(baseUrl));
}

/** undefined = the environment configures none; null = its address is invalid. */
export function environmentConnection(environment: Environment): KeptConnection | null | undefined {
  const address = valueOf(environment, variables.base);
  if (address === null && valueOf(environment, variables.key) === null) return undefined;
  const base = soundBase(address ?? presetOf("openai").baseUrl, presetOf("custom"));
  if (!base.ok) return null;
  const { host } = new URL(base.value);
  const preset = presets.find((one) => !one.local && new URL(one.baseUrl).host === host);
  return {
    id: environmentId,
    name: "From the environment",
    preset: preset?.id ?? "custom",
    baseUrl: base.value,
    model: "",
    numCtx: 0,
  };
}
