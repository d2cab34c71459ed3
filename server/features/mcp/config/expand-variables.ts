/** Replaces the variables in the texts of a server. Pure; a variable that is not set is an error, never an empty text. */
import { resolve } from "node:path";
import { secretValues } from "@/server/security/redaction/redact";
import { secretPartsOf } from "@/server/security/redaction/secret-shapes";
import { findLiteralSecrets, type LiteralSecret } from "./literal-secrets";
import { type VariableReference, replaceReferences } from "./references";
import type { HttpServerConfig, McpServerConfig, StdioServerConfig } from "./server-config";

export interface VariableValues {
  /** Environment variables and stored keys; null = not set. */
  variable(name: string): string | null;
  /** Answers to the `inputs` of a file; null = none. */
  input(id: string): string | null;
  /** Ids of the inputs whose values are no secrets. */
  readonly openInputs?: ReadonlySet<string>;
  /** Real path of the project; null = the server is used outside of one. */
  readonly project: string | null;
  readonly userHome: string;
}

export type ExpandedServer =
  | {
      readonly ok: true;
      readonly server: McpServerConfig;
      /** Replaced values that must not be shown. */
      readonly secrets: readonly string[];
    }
  /** `missing` = names of the variables that are not set, as in `API_KEY` or `input:token`. */
  | { readonly ok: false; readonly missing: readonly string[] };

export function expandServer(server: McpServerConfig, values: VariableValues): ExpandedServer {
  const missing = new Set<string>();
  const secrets = new Set<string>();
  const expand = (text: string): string =>
    replaceReferences(text, (reference) => {
      const { value, secrets: found } = resolveReference(reference, values);
      for (const secret of found) secrets.add(secret);
      if (value === null) missing.add(reference.name);
      return value ?? "";
    });
  // A password may contain what looks like a reference.
  const literals = findLiteralSecrets(server);
  const expandAt: ExpandAt = (place, name, text) => {
    const literal = literals.find((one) => one.place === place && one.name === name);
    if (literal === undefined) return expand(text);
    const value = literal.value.replaceAll("$$", () => "$");
    for (const secret of hiddenParts(value, true)) secrets.add(secret);
    return expand(text.slice(0, -literal.value.length)) + value;
  };
  const expanded = server.kind === "stdio" ? expandStdio(server, expandAt, values) : expandHttp(server, expandAt);
  if (missing.size > 0) return { ok: false, missing: [...missing] };
  return { ok: true, server: expanded, secrets: [...secrets] };
}

type ExpandAt = (place: LiteralSecret["place"] | "other", name: string, text: string) => string;

interface Resolved {
  /** Null = not set. */
  readonly value: string | null;
  readonly secrets: readonly string[];
}

function resolveReference(
  { name, kind, fallback }: VariableReference,
  { variable, input, openInputs, project, userHome }: VariableValues,
): Resolved {
  if (kind === "fixed") return { value: resolveFixed(name, project, userHome), secrets: [] };
  if (kind === "input") {
    const id = name.slice("input:".length);
    const value = input(id);
    return { value, secrets: value === null ? [] : hiddenParts(value, openInputs?.has(id) !== true) };
  }
  const set = variable(name);
  const value = set === null || set === "" ? (fallback ?? set) : set;
  return { value, secrets: value === null ? [] : hiddenParts(value, secretValues({ [name]: value }).length > 0) };
}

/** What must not be shown of a value. Of an address only the secrets in it: others begin like it. */
function hiddenParts(value: string, isSecret: boolean): readonly string[] {
  const parts = secretPartsOf(value);
  const isAddress = /^[a-z][\w+.-]*:\/\//i.test(value) && parts.length > 0;
  return isSecret && !isAddress ? [value] : parts;
}

function resolveFixed(name: string, project: string | null, userHome: string): string | null {
  switch (name) {
    case "workspaceFolder":
      return project;
    case "workspaceFolderBasename":
      return project?.split("/").at(-1) ?? null;
    case "userHome":
      return userHome;
    default:
      return "/";
  }
}

const expandMap = (place: "env" | "headers", map: { readonly [name: string]: string }, expand: ExpandAt) =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, expand(place, name, value)]));

const expandStdio = (
  server: StdioServerConfig,
  expand: ExpandAt,
  { project }: Pick<VariableValues, "project">,
): StdioServerConfig => ({
  ...server,
  command: expand("other", "", server.command),
  args: server.args.map((word, index) => expand("args", `${index}`, word)),
  env: expandMap("env", server.env, expand),
  cwd: server.cwd === null ? null : resolve(project ?? "/", expand("other", "", server.cwd)),
  ...(server.envFile === undefined ? {} : { envFile: resolve(project ?? "/", expand("other", "", server.envFile)) }),
});

function expandHttp(server: HttpServerConfig, expand: ExpandAt): HttpServerConfig {
  const { clientId, clientSecret } = server.oauth ?? {};
  return {
    ...server,
    url: expand("url", "", server.url),
    headers: expandMap("headers", server.headers, expand),
    oauth:
      server.oauth === null
        ? null
        : {
            ...server.oauth,
            ...(clientId === undefined ? {} : { clientId: expand("other", "", clientId) }),
            ...(clientSecret === undefined ? {} : { clientSecret: expand("oauth", "clientSecret", clientSecret) }),
          },
  };
}
