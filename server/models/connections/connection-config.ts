/** Validates and normalizes the user's input for a connection: address, name, key, and the id of a new one. Pure. */
import { fail, ok, type Result } from "@/lib/events/error";
import { environmentConnectionId } from "@/lib/models/default-connection";
import { engineConnectionId } from "@/lib/models/engine";
import { tourConnectionId } from "@/lib/models/tour";
import { isSessionHeaderValid } from "@/lib/models/connection-routing";
import type { Connection } from "@/lib/models/models";
import { isKeyUseValid, isKeyValid, splitCredentials } from "@/lib/models/key-use";
import { isOllamaConnection } from "@/lib/models/ollama-connection";
import { isServerAddress } from "@/lib/models/server-address";
import { parseOllamaHost } from "@/server/providers/ollama/ollama-host";
import { parseBaseUrl } from "@/server/providers/openai/openai-host";
import { type Preset, presets } from "@/server/providers/presets";

/** A connection as stored; its key is stored separately. */
export type ConnectionConfig = Omit<Connection, "key" | "local" | "server">;

export interface ConnectionInput extends Omit<ConnectionConfig, "id"> {
  /** Absent = a new connection. */
  readonly id?: string;
  /** Absent = unchanged, empty = delete it. */
  readonly key?: string;
}

interface ValidatedConnection {
  readonly config: Omit<ConnectionConfig, "id">;
  /** Absent = unchanged, null = delete it. */
  readonly key?: string | null;
}

type ConnectionField = "name" | "preset" | "baseUrl" | "key" | "keyUse" | "sessionHeader";
const invalidField = (field: ConnectionField, detail: string) => fail("bad_input", detail, { field });

/** Moves user name and password of the address to their fields. */
function moveCredentials(input: ConnectionInput): ConnectionInput {
  const { address, ...moved } = splitCredentials(input.baseUrl) ?? { address: input.baseUrl };
  return { ...input, ...moved, baseUrl: address };
}

/**
 * A user name and password in the address are moved to their fields. Fails with bad_input; `field` in the facts names the field.
 * Texts never contain the key or a password.
 */
export function validateConnectionInput(typedInput: ConnectionInput): Result<ValidatedConnection> {
  const { id: _id, key, ...input } = moveCredentials(typedInput);
  const name = input.name.trim();
  if (name === "" || /\p{Cc}/u.test(name)) return invalidField("name", "a connection needs a name in one line");
  const preset = presets.find((one) => one.id === input.preset);
  if (preset === undefined && !isOllamaConnection(input))
    return invalidField("preset", `no such preset: ${input.preset}`);
  const base = preset === undefined ? normalizeOllamaHost(input.baseUrl) : normalizeBaseUrl(input.baseUrl, preset);
  if (!base.ok) return base;
  const keyUse = input.keyUse && { ...input.keyUse, name: input.keyUse.name.trim() };
  if (keyUse !== undefined && !isKeyUseValid(keyUse))
    return invalidField(
      "keyUse",
      `not the name of a ${keyUse.as === "password" ? "user" : "header that can hold a key"}`,
    );
  const sessionHeader = input.sessionHeader?.trim();
  if (sessionHeader !== undefined && sessionHeader !== "" && !isSessionHeaderValid(sessionHeader, { keyUse }))
    return invalidField("sessionHeader", "not the name of a header that can carry a session's id");
  const typed = key?.trim();
  if (typed !== undefined && typed !== "" && !isKeyValid(typed, keyUse))
    return invalidField("key", "a key has no spaces, no line breaks and only plain letters, digits and signs");
  const config = {
    ...input,
    name,
    baseUrl: base.value,
    model: input.model.trim(),
    ...(keyUse && { keyUse }),
    ...(sessionHeader !== undefined && { sessionHeader }),
  };
  return ok({ config, ...(typed === undefined ? {} : { key: typed === "" ? null : typed }) });
}

const hasCredentials = (text: string): boolean => /^["']*(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i.test(text);
const credentialsRefused = () =>
  invalidField("baseUrl", "user name and password do not belong in a base URL; a key has its own field");

/**
 * Normalizes the address of an Ollama server by the rules of the setting, without the path of its OpenAI-compatible
 * API.
 */
export function normalizeOllamaHost(text: string): Result<string> {
  const plain = text.trim();
  if (hasCredentials(plain)) return credentialsRefused();
  if (plain === "" || !isServerAddress(plain)) return invalidField("baseUrl", "not an address of a model server");
  const host = parseOllamaHost(plain);
  if (!host.ok) return invalidField("baseUrl", host.error.detail ?? "not an address of a model server");
  return ok(host.value.replace(/\/(?:v1|api)$/, ""));
}

/** Normalizes a base URL; a bare host gets the path its server is known to use. */
export function normalizeBaseUrl(text: string, preset: Preset): Result<string> {
  const plain = text.trim();
  if (hasCredentials(plain)) return credentialsRefused();
  if (plain.includes("#")) return invalidField("baseUrl", "a base URL has no part after #");
  const base = parseBaseUrl(plain);
  if (!base.ok) return invalidField("baseUrl", base.error.detail ?? "not a base URL");
  return ok(withKnownPath(base.value, preset));
}

function withKnownPath(base: string, preset: Preset): string {
  const { host, pathname } = new URL(base);
  if (pathname !== "/") return base;
  const remotePreset = presets.find((one) => one.baseUrl !== "" && new URL(one.baseUrl).host === host && !one.local);
  if (remotePreset !== undefined) return remotePreset.baseUrl;
  return preset.local && preset.baseUrl !== "" ? `${base}${new URL(preset.baseUrl).pathname}` : base;
}

/** Short enough for `id/model`. */
const maxSlugChars = 40;
/** Ids of built-in providers. */
const reservedIds: readonly string[] = ["ollama", environmentConnectionId, engineConnectionId, tourConnectionId];

const slugify = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxSlugChars)
    .replace(/^-+|-+$/g, "");

/** Id of a new connection: its name as a slug, with a number if taken. */
export function newConnectionId(
  { name, preset }: Pick<ConnectionConfig, "name" | "preset">,
  isFree: (id: string) => boolean,
): string {
  const slug = slugify(name) || preset;
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? slug : `${slug}-${count}`;
    if (!reservedIds.includes(id) && isFree(id)) return id;
  }
}
