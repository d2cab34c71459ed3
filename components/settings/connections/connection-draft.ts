/**
 * Draft of a connection in the form: conversion from a stored connection, validation, and the input of the save
 * command. Pure.
 */
import type { CommandInput } from "@/lib/protocol/command";
import type { AgentError } from "@/lib/events/error";
import type { Connection, ConnectionPreset } from "@/lib/models/models";
import { answersAtOnceMax, defaultSessionHeader, isSessionHeaderValid } from "@/lib/models/connection-routing";
import { isKeyUseValid, isKeyValid, type KeyUse, splitCredentials } from "@/lib/models/key-use";
import { isOllamaConnection } from "@/lib/models/ollama-connection";
import { isServerAddress } from "@/lib/models/server-address";
import { parseTemperature } from "@/lib/settings/model-settings";

export interface ConnectionDraft {
  /** Preset id of the server. */
  readonly preset: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly temperature: string;
  /** tokens; 0 = as reported by the server */
  readonly numCtx: number;
  /** null = unchanged, "" = delete the stored key */
  readonly key: string | null;
  /** null = the key is sent as a bearer token */
  readonly keyUse: KeyUse | null;
  /** Header with the session's id. `name` counts only with `header`. */
  readonly sessionHeader: { readonly use: SessionHeaderUse; readonly name: string };
  /** Empty = as the server reports, or by the address. */
  readonly atOnce: string;
}

/** address = on for addresses of this machine and its network */
export const sessionHeaderUses = ["address", "off", "header"] as const;
type SessionHeaderUse = (typeof sessionHeaderUses)[number];

export type DraftProblem =
  | "nameEmpty"
  | "baseUrlBad"
  | "baseUrlCredentials"
  | "temperatureBad"
  | "keyBad"
  | "keyUseBad"
  | "sessionHeaderBad"
  | "atOnceBad";

export const toConnectionDraft = (connection: Connection): ConnectionDraft => ({
  preset: connection.preset,
  name: connection.name,
  baseUrl: connection.baseUrl,
  model: connection.model,
  temperature: connection.temperature === undefined ? "" : String(connection.temperature),
  numCtx: connection.numCtx,
  key: null,
  keyUse: connection.keyUse ?? null,
  sessionHeader: toSessionHeaderDraft(connection),
  atOnce: connection.atOnce === undefined ? "" : String(connection.atOnce),
});

function toSessionHeaderDraft({ sessionHeader }: Pick<Connection, "sessionHeader">): ConnectionDraft["sessionHeader"] {
  if (sessionHeader === undefined) return { use: "address", name: defaultSessionHeader };
  return sessionHeader === "" ? { use: "off", name: defaultSessionHeader } : { use: "header", name: sessionHeader };
}

export const emptyDraft = (preset: ConnectionPreset, name: string): ConnectionDraft => ({
  preset: preset.id,
  name,
  baseUrl: preset.baseUrl,
  model: "",
  temperature: "",
  numCtx: 0,
  key: null,
  keyUse: null,
  sessionHeader: toSessionHeaderDraft({}),
  atOnce: "",
});

/** Problem by field; a valid field is absent. */
export type DraftProblems = { readonly [F in keyof ConnectionDraft]?: DraftProblem };

/** Returns the field a server error refers to; null for an error that concerns no field. */
export function serverFieldProblem(error: AgentError): DraftProblems | null {
  if (error.code !== "bad_input") return null;
  if (error.facts?.field === "name") return { name: "nameEmpty" };
  if (error.facts?.field === "baseUrl") return { baseUrl: "baseUrlBad" };
  if (error.facts?.field === "keyUse") return { keyUse: "keyUseBad" };
  if (error.facts?.field === "sessionHeader") return { sessionHeader: "sessionHeaderBad" };
  return error.facts?.field === "key" ? { key: "keyBad" } : null;
}

/** Moves user name and password of the address to their fields; null = the address has none. */
export function moveCredentials({ baseUrl }: ConnectionDraft): Partial<ConnectionDraft> | null {
  const parts = splitCredentials(baseUrl);
  if (parts === null) return null;
  const { address, ...moved } = parts;
  return { ...moved, baseUrl: address };
}

export function draftProblems(typed: ConnectionDraft): DraftProblems {
  // The server moves them too.
  const draft = { ...typed, ...moveCredentials(typed) };
  const keyUse = draft.keyUse ?? undefined;
  const key = draft.key?.trim() ?? "";
  const { use, name } = draft.sessionHeader;
  const address = addressProblem(draft.baseUrl.trim(), isOllamaConnection(draft));
  return {
    ...(draft.name.trim() === "" ? { name: "nameEmpty" } : {}),
    ...(address === null ? {} : { baseUrl: address }),
    ...(parseTemperature(draft.temperature) === null ? { temperature: "temperatureBad" } : {}),
    ...(key !== "" && !isKeyValid(key, keyUse) ? { key: "keyBad" } : {}),
    ...(keyUse !== undefined && !isKeyUseValid(trimName(keyUse)) ? { keyUse: "keyUseBad" } : {}),
    ...(use === "header" && !isSessionHeaderValid(name.trim(), { keyUse })
      ? { sessionHeader: "sessionHeaderBad" }
      : {}),
    ...(parseAtOnce(draft.atOnce) === null ? { atOnce: "atOnceBad" } : {}),
  };
}

const trimName = (use: KeyUse): KeyUse => ({ ...use, name: use.name.trim() });

/** As lenient as the server: the scheme may be omitted. `isHost` = validate as the address of an Ollama server. */
function addressProblem(text: string, isHost: boolean): DraftProblem | null {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "http" && scheme !== "https") return "baseUrlBad";
  const rest = scheme === undefined ? text : text.slice(scheme.length + 3);
  if (/^[^/?#]*@/.test(rest)) return "baseUrlCredentials";
  if (isHost) return text === "" || !isServerAddress(text) ? "baseUrlBad" : null;
  return /[\s#\\]/.test(text) || !URL.canParse(`http://${rest}`) ? "baseUrlBad" : null;
}

/** Parses a number of answers. undefined = as the server reports; null = not such a number. */
function parseAtOnce(text: string): number | null | undefined {
  const plain = text.trim();
  if (plain === "") return undefined;
  const count = /^\d{1,2}$/.test(plain) ? Number(plain) : 0;
  return count >= 1 && count <= answersAtOnceMax ? count : null;
}

/** undefined = by the address, empty = none. */
const sentHeader = ({ use, name }: ConnectionDraft["sessionHeader"]): string | undefined =>
  use === "address" ? undefined : use === "off" ? "" : name.trim();

/** Returns the input of `connections.save`; null for an invalid draft. */
export function toSaveInput(
  draft: ConnectionDraft,
  reference: { readonly id?: string },
): CommandInput<"connections.save"> | null {
  const temperature = parseTemperature(draft.temperature);
  const atOnce = parseAtOnce(draft.atOnce);
  if (Object.keys(draftProblems(draft)).length > 0 || temperature === null || atOnce === null) return null;
  return {
    id: reference.id,
    preset: draft.preset,
    name: draft.name.trim(),
    baseUrl: draft.baseUrl.trim(),
    model: draft.model.trim(),
    temperature,
    numCtx: draft.numCtx,
    sessionHeader: sentHeader(draft.sessionHeader),
    atOnce,
    ...(draft.key === null ? {} : { key: draft.key.trim() }),
    ...(draft.keyUse === null ? {} : { keyUse: trimName(draft.keyUse) }),
  };
}

/** Whether the draft equals the stored one. */
export const isSameDraft = (one: ConnectionDraft, two: ConnectionDraft): boolean =>
  JSON.stringify(one) === JSON.stringify(two);

/** Returns an unused name: "OpenRouter", then "OpenRouter 2". */
export function unusedName(name: string, usedNames: readonly string[]): string {
  let free = name;
  for (let count = 2; usedNames.includes(free); count += 1) free = `${name} ${count}`;
  return free;
}
