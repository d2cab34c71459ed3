/** References to variables: `${NAME}`, `${env:NAME:-default}`, `$NAME`; `$$` is a dollar sign. Pure. */
import type { McpServerConfig } from "./server-config";

const dollar = /\$\$|\$\{([^{}\n]{1,200})\}|\$([A-Za-z_]\w*)/g;
const withDefault = /^(?:env:)?([A-Za-z_]\w*)(?::-([^]*))?$/;
const fixedNames: ReadonlySet<string> = new Set([
  "workspaceFolder",
  "workspaceFolderBasename",
  "userHome",
  "pathSeparator",
  "/",
]);

export interface VariableReference {
  /** As in `API_KEY`, `input:token` or `workspaceFolder`. */
  readonly name: string;
  readonly kind: "variable" | "input" | "fixed";
  /** Used when the variable is not set or empty; null = none. */
  readonly fallback: string | null;
}

/** Null = it is no reference: `${` may be part of a text. */
function readReference(inside: string): VariableReference | null {
  if (fixedNames.has(inside)) return { name: inside, kind: "fixed", fallback: null };
  if (inside.startsWith("input:")) return { name: inside, kind: "input", fallback: null };
  const [, name, fallback = null] = withDefault.exec(inside) ?? [];
  return name === undefined ? null : { name, kind: "variable", fallback };
}

/** Returns the text with its references replaced by what `value` returns, and `$$` by `$`. */
export const replaceReferences = (
  text: string,
  value: (reference: VariableReference, isBraced: boolean) => string,
): string =>
  text.replace(dollar, (whole: string, braced: string | undefined, plain: string | undefined) => {
    if (whole === "$$") return "$";
    const reference = readReference(braced ?? plain ?? "");
    return reference === null ? whole : value(reference, braced !== undefined);
  });

/** The texts in which references are replaced. */
function textsOf(server: McpServerConfig): readonly string[] {
  if (server.kind === "stdio")
    return [server.command, ...server.args, ...Object.values(server.env), server.cwd ?? "", server.envFile ?? ""];
  const { clientId = "", clientSecret = "" } = server.oauth ?? {};
  return [server.url, ...Object.values(server.headers), clientId, clientSecret];
}

/** Returns the names of the variables and inputs that a server refers to. */
export const referencedNames = (server: McpServerConfig): ReadonlySet<string> => namesReferredIn(textsOf(server));

/** The same of texts that may be anything, such as those of an entry that cannot be used. */
export function namesReferredIn(texts: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const text of texts)
    replaceReferences(text, ({ name, kind }) => {
      if (kind !== "fixed") names.add(name);
      return "";
    });
  return names;
}
