/** Finds a connection's key, and builds the connection configured by environment variables. Pure but for the file of a key. */
import { environmentConnectionId } from "@/lib/models/default-connection";
import type { AgentError } from "@/lib/events/error";
import { splitCredentials } from "@/lib/models/key-use";
import type { Connection } from "@/lib/models/models";
import { staysLocal } from "@/server/providers/openai/openai-host";
import { type Preset, findPreset, presets } from "@/server/providers/presets";
import type { KeyFileContent } from "./key-file";
import { type ConnectionConfig, normalizeBaseUrl } from "./connection-config";

type Environment = NodeJS.Dict<string>;

const variables = { base: "OPENAI_BASE_URL", key: "OPENAI_API_KEY", keyFile: "OPENAI_API_KEY_FILE" } as const;

const readVariable = (environment: Environment, name: string): string | null => environment[name]?.trim() || null;

export interface ResolvedKey {
  readonly source: Connection["key"];
  /** null = none */
  readonly key: string | null;
  /** Why the file of the key has none. */
  readonly problem?: AgentError | null;
}

/** Returns user name and password in the address of the environment's connection; null = it has none. */
const environmentCredentials = (environment: Environment) =>
  splitCredentials(readVariable(environment, variables.base) ?? "");

/**
 * Returns the stored key, else the one in the environment's own address, else the first of the preset's variables that is set, or
 * the file of one.
 */
export function resolveKey(
  connection: ConnectionConfig,
  storedKey: string | null,
  environment: Environment,
  readKeyFile: (path: string) => KeyFileContent,
): ResolvedKey {
  if (storedKey !== null) return { source: { from: "file" }, key: storedKey };
  const password = connection.id === environmentConnectionId ? environmentCredentials(environment)?.key : undefined;
  if (password !== undefined) return { source: { from: "environment", name: variables.base }, key: password };
  for (const name of keyVariables(connection)) {
    const key = readVariable(environment, name);
    if (key !== null) return { source: { from: "environment", name }, key };
    const file = name === variables.key ? readVariable(environment, variables.keyFile) : null;
    if (file !== null) return { source: { from: "environment", name: variables.keyFile }, ...readKeyFile(file) };
  }
  return { source: { from: "none" }, key: null };
}

/** Returns the variables of a connection's key. Such a key belongs to one server: another owner's address has none. */
function keyVariables({ id, preset: presetId, baseUrl }: ConnectionConfig): readonly string[] {
  if (id === environmentConnectionId) return [variables.key];
  const preset = findPreset(presetId);
  const isTheirs = preset.local ? staysLocal(preset, baseUrl) : hasSameOwner(preset, baseUrl);
  return isTheirs ? preset.keyEnvironment : [];
}

const ownerDomain = (url: URL): string => url.hostname.split(".").slice(-2).join(".");

/** Services have one address per region, below one domain. */
function hasSameOwner({ baseUrl }: Preset, address: string): boolean {
  if (!URL.canParse(baseUrl) || !URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === "https:" && ownerDomain(url) === ownerDomain(new URL(baseUrl));
}

/** Returns the environment's connection; undefined = it configures none, null = its address is invalid. */
export function environmentConnection(environment: Environment): ConnectionConfig | null | undefined {
  const address = readVariable(environment, variables.base);
  if (Object.values(variables).every((name) => readVariable(environment, name) === null)) return undefined;
  const credentials = environmentCredentials(environment);
  const typed = credentials?.address ?? address ?? findPreset("openai").baseUrl;
  const base = normalizeBaseUrl(typed, findPreset("custom"));
  if (!base.ok) return null;
  const { host } = new URL(base.value);
  const preset = presets.find((one) => !one.local && new URL(one.baseUrl).host === host);
  return {
    id: environmentConnectionId,
    name: "From the environment",
    preset: preset?.id ?? "custom",
    baseUrl: base.value,
    model: "",
    numCtx: 0,
    ...(credentials !== null && { keyUse: credentials.keyUse }),
  };
}
