/** Replaces the variables in the texts of a server. Pure; a variable that is not set is an error, never an empty text. */
import { secretValues } from "@/server/security/redaction/redact";
import type { HttpServerConfig, McpServerConfig, StdioServerConfig } from "./server-config";

export interface VariableValues {
  /** Environment variables and stored keys; null = not set. */
  variable(name: string): string | null;
  /** Answers to the `inputs` of a file; null = none. */
  input(id: string): string | null;
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

const reference = /\$\{([^{}\n]{1,200})\}|\$([A-Za-z_]\w*)/g;
const withDefault = /^(?:env:)?([A-Za-z_]\w*)(?::-([^]*))?$/;

export function expandServer(server: McpServerConfig, values: VariableValues): ExpandedServer {
  const missing = new Set<string>();
  const secrets = new Set<string>();
  const expand = (text: string): string =>
    text.replace(reference, (whole: string, braced: string | undefined, plain: string | undefined) => {
      const found = resolveReference(braced ?? plain ?? "", values);
      // Not a reference: `${` may be part of a text.
      if (found === "other") return whole;
      for (const secret of found.secrets) secrets.add(secret);
      if (found.value === null) missing.add(found.name);
      return found.value ?? "";
    });
  const expanded = server.kind === "stdio" ? expandStdio(server, expand) : expandHttp(server, expand);
  if (missing.size > 0) return { ok: false, missing: [...missing] };
  return { ok: true, server: expanded, secrets: [...secrets] };
}

interface Resolved {
  readonly name: string;
  /** Null = not set. */
  readonly value: string | null;
  readonly secrets: readonly string[];
}

function resolveReference(inside: string, { variable, input, project, userHome }: VariableValues): Resolved | "other" {
  switch (inside) {
    case "workspaceFolder":
      return { name: inside, value: project, secrets: [] };
    case "workspaceFolderBasename":
      return { name: inside, value: project?.split("/").at(-1) ?? null, secrets: [] };
    case "userHome":
      return { name: inside, value: userHome, secrets: [] };
    case "pathSeparator":
    case "/":
      return { name: inside, value: "/", secrets: [] };
    default:
  }
  if (inside.startsWith("input:")) {
    const value = input(inside.slice("input:".length));
    return { name: inside, value, secrets: value === null ? [] : [value] };
  }
  const [, name, fallback] = withDefault.exec(inside) ?? [];
  if (name === undefined) return "other";
  const set = variable(name);
  const value = set === null || set === "" ? (fallback ?? set) : set;
  return { name, value, secrets: value === null ? [] : secretValues({ [name]: value }) };
}

const expandMap = (map: { readonly [name: string]: string }, expand: (text: string) => string) =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, expand(value)]));

const expandStdio = (server: StdioServerConfig, expand: (text: string) => string): StdioServerConfig => ({
  ...server,
  command: expand(server.command),
  args: server.args.map(expand),
  env: expandMap(server.env, expand),
  cwd: server.cwd === null ? null : expand(server.cwd),
});

function expandHttp(server: HttpServerConfig, expand: (text: string) => string): HttpServerConfig {
  const { oauth } = server;
  return {
    ...server,
    url: expand(server.url),
    headers: expandMap(server.headers, expand),
    oauth:
      oauth === null
        ? null
        : {
            ...oauth,
            ...(oauth.clientId === undefined ? {} : { clientId: expand(oauth.clientId) }),
            ...(oauth.clientSecret === undefined ? {} : { clientSecret: expand(oauth.clientSecret) }),
          },
  };
}
