/** Replaces the variables in the texts of a server. Pure; a variable that is not set is an error, never an empty text. */
import { resolve } from "node:path";
import { secretValues } from "@/server/security/redaction/redact";
import { hiddenParts, type HiddenParts } from "./hidden-parts";
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
  /** With the replaced values that must not be shown. */
  | ({
      readonly ok: true;
      readonly server: McpServerConfig;
    } & HiddenParts)
  /** `missing` = names of the variables that are not set, as in `API_KEY` or `input:token`. */
  | { readonly ok: false; readonly missing: readonly string[] };

export function expandServer(server: McpServerConfig, values: VariableValues): ExpandedServer {
  const missing = new Set<string>();
  const secrets = new Set<string>();
  const logSecrets = new Set<string>();
  const hide = (hidden: HiddenParts): void => {
    for (const secret of hidden.secrets) secrets.add(secret);
    for (const secret of hidden.logSecrets) logSecrets.add(secret);
  };
  const expand = (text: string): string =>
    replaceReferences(text, (reference) => {
      const { value, isSecret } = resolveReference(reference, values);
      if (value === null) missing.add(reference.name);
      else if (reference.kind !== "fixed") hide(hiddenParts(value, isSecret));
      return value ?? "";
    });
  // A password may contain what looks like a reference.
  const literals = findLiteralSecrets(server);
  const expandAt: ExpandAt = (place, name, text) => {
    const literal = literals.find((one) => one.place === place && one.name === name);
    if (literal === undefined) return expand(text);
    const value = literal.value.replaceAll("$$", () => "$");
    hide(hiddenParts(value, true));
    return expand(text.slice(0, -literal.value.length)) + value;
  };
  const expanded = server.kind === "stdio" ? expandStdio(server, expandAt, values) : expandHttp(server, expandAt);
  if (missing.size > 0) return { ok: false, missing: [...missing] };
  return { ok: true, server: expanded, secrets: [...secrets], logSecrets: [...logSecrets] };
}

type ExpandAt = (place: LiteralSecret["place"] | "other", name: string, text: string) => string;

interface Resolved {
  /** Null = not set. */
  readonly value: string | null;
  /** Whatever it looks like. */
  readonly isSecret: boolean;
}

function resolveReference(
  { name, kind, fallback }: VariableReference,
  { variable, input, openInputs, project, userHome }: VariableValues,
): Resolved {
  if (kind === "fixed") return { value: resolveFixed(name, project, userHome), isSecret: false };
  if (kind === "input") {
    const id = name.slice("input:".length);
    return { value: input(id), isSecret: openInputs?.has(id) !== true };
  }
  const set = variable(name);
  const value = set === null || set === "" ? (fallback ?? set) : set;
  return { value, isSecret: value !== null && secretValues({ [name]: value }).length > 0 };
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
