/** Finds secrets that are written in the configuration of a server, and replaces them by variables. Pure. */
import { makeRedactor, secretValues } from "@/server/security/redaction/redact";
import { replaceReferences } from "./references";
import type { McpServerConfig } from "./server-config";

export interface LiteralSecret {
  readonly place: "env" | "headers" | "args" | "url" | "oauth";
  /** Name of the variable or header, position of the argument; "" for an address. */
  readonly name: string;
  /** The variable that replaces it, as in `GITHUB_API_TOKEN`. */
  readonly variable: string;
  /** The end of the text at its place. A secret; never shown or logged. */
  readonly value: string;
}

const redactor = makeRedactor({ secrets: [], homes: [] });
const scheme = /^(?:Bearer|Basic|Token)\s+/i;
const secretHeader = /auth|token|key|secret|cookie|password/i;
const secretOption = /^--?[\w-]*(?:token|key|secret|password|passwd)$/i;

/** References, a path or a word reveal nothing. */
function isSecretShape(text: string): boolean {
  const rest = replaceReferences(text, () => "");
  return redactor.text(rest) !== rest;
}

/**
 * Whether the value of a secret comes from elsewhere. `$NAME` may be part of a password: it counts only where nothing
 * but references and signs between them is left. `${NAME}` counts also beside words, as in `token ${NAME}`.
 */
function isReferred(value: string): boolean {
  let references = 0;
  let braced = 0;
  const rest = replaceReferences(value, (_, isBraced) => {
    references += 1;
    if (isBraced) braced += 1;
    return "";
  });
  if (references === 0 || isSecretShape(value)) return false;
  return braced === references || !/[\p{L}\p{N}]/u.test(rest);
}

export function findLiteralSecrets(server: McpServerConfig): readonly LiteralSecret[] {
  const found: LiteralSecret[] = [];
  const isOther = (variable: string, value: string): boolean =>
    found.some((one) => one.variable === variable && one.value !== value);
  const add = (place: LiteralSecret["place"], name: string, label: string, value: string): void => {
    if (value === "" || isReferred(value)) return;
    const variable = numbered(variableName(server.name, label), (candidate) => isOther(candidate, value));
    found.push({ place, name, variable, value });
  };
  if (server.kind === "stdio") {
    for (const [name, value] of Object.entries(server.env))
      if (secretValues({ [name]: value }).length > 0 || isSecretShape(value)) add("env", name, name, value);
    server.args.forEach((word, index) => {
      const [option = "", value] = word.split(/=(.*)/s);
      const before = server.args[index - 1] ?? "";
      if (value !== undefined && secretOption.test(option)) add("args", `${index}`, option, value);
      else if (secretOption.test(before) && !word.startsWith("-")) add("args", `${index}`, before, word);
      else if (isSecretShape(word)) add("args", `${index}`, `ARGUMENT_${index + 1}`, word);
    });
    return found;
  }
  for (const [name, value] of Object.entries(server.headers))
    if (secretHeader.test(name) || isSecretShape(value)) add("headers", name, name, value.replace(scheme, ""));
  if (isSecretShape(server.url)) add("url", "", "URL", server.url);
  if (server.oauth?.clientSecret !== undefined)
    add("oauth", "clientSecret", "CLIENT_SECRET", server.oauth.clientSecret);
  return found;
}

const toUpperSnake = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase();

/** The server's name is part of it: two servers may have variables of one name. */
function variableName(server: string, label: string): string {
  const [prefix, name] = [toUpperSnake(server), toUpperSnake(label)];
  const joined = name.startsWith(`${prefix}_`) ? name : `${prefix}_${name}`;
  return /^[A-Z_]/.test(joined) ? joined : `MCP_${joined}`;
}

/** Returns the name with the first number that makes it free. */
function numbered(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number += 1) free = `${name}_${number}`;
  return free;
}

/** Returns the secrets with variables that have no other value anywhere. `current` = its value; null = it has none. */
export function renameTaken(
  secrets: readonly LiteralSecret[],
  current: (variable: string) => string | null,
): readonly LiteralSecret[] {
  const chosen = new Map<string, string>();
  return secrets.map((secret) => {
    const isTaken = (variable: string): boolean =>
      (chosen.get(variable) ?? current(variable) ?? secret.value) !== secret.value;
    const variable = numbered(secret.variable, isTaken);
    chosen.set(variable, secret.value);
    return { ...secret, variable };
  });
}

/** Returns the server with `${VARIABLE}` in place of the secrets. */
export function moveSecrets(server: McpServerConfig, secrets: readonly LiteralSecret[]): McpServerConfig {
  const at = (place: LiteralSecret["place"], name: string): LiteralSecret | undefined =>
    secrets.find((one) => one.place === place && one.name === name);
  const replace = (text: string, secret: LiteralSecret | undefined): string =>
    secret === undefined ? text : `${text.slice(0, -secret.value.length)}\${${secret.variable}}`;
  const replaceMap = (place: "env" | "headers", map: { readonly [name: string]: string }) =>
    Object.fromEntries(Object.entries(map).map(([name, value]) => [name, replace(value, at(place, name))]));
  if (server.kind === "stdio")
    return {
      ...server,
      env: replaceMap("env", server.env),
      args: server.args.map((word, index) => replace(word, at("args", `${index}`))),
    };
  const { clientSecret } = server.oauth ?? {};
  return {
    ...server,
    headers: replaceMap("headers", server.headers),
    url: replace(server.url, at("url", "")),
    oauth:
      clientSecret === undefined
        ? server.oauth
        : { ...server.oauth, clientSecret: replace(clientSecret, at("oauth", "clientSecret")) },
  };
}
