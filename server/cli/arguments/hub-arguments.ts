/** The arguments of a server that JupyterHub starts: the hub says in variables where it listens and who may come in. */
import { closeSync, readFileSync } from "node:fs";
import { type HubVariables, parseHubVariables } from "@/server/base/hub-variables";
import type { PublicAddress } from "@/server/base/public-address";
import { type Environment, type ParsedOptions, UsageError } from "./options";

/** Options that the variables of the hub replace. */
const replacedOptions = ["port", "host", "socket", "proxy-user", "tls-cert", "tls-key"] as const;

/** Returns what the hub says; null = no hub starts this server. Throws UsageError. */
export function parseHub(
  options: ParsedOptions,
  environment: Environment,
  { publicAddress }: { readonly publicAddress?: PublicAddress },
): HubVariables | null {
  const isServing = !options.flag("background") && !options.flag("install") && !options.flag("uninstall");
  const token = isServing ? readHubToken(environment) : "";
  if (token === "") return null;
  const replaced = replacedOptions.find((name) => options.text(name) !== null);
  if (replaced !== undefined)
    throw new UsageError(
      `--${replaced} can't be used with JupyterHub, whose variables say where to listen and who may come in. To start without the hub: env -u JUPYTERHUB_API_TOKEN gopi-web`,
    );
  const hub = parseHubVariables(environment, token);
  if (typeof hub === "string") throw new UsageError(hub);
  if (publicAddress === undefined) return hub;
  if (publicAddress.prefix !== hub.publicAddress.prefix)
    throw new UsageError(`--public-url needs the path of this server at JupyterHub: ${hub.publicAddress.prefix}/`);
  return { ...hub, publicAddress };
}

/** The token is in the variable of the hub, or in a pipe, where other programs of this user cannot read it. */
function readHubToken({ JUPYTERHUB_API_TOKEN: token = "", GOPI_HUB_TOKEN_FD: descriptor = "" }: Environment): string {
  if (!/^\d{1,6}$/.test(descriptor)) return token;
  try {
    const text = readFileSync(Number(descriptor), "utf8").trim();
    closeSync(Number(descriptor));
    return text;
  } catch {
    throw new UsageError(`GOPI_HUB_TOKEN_FD=${descriptor} isn't the pipe with the token of JupyterHub`);
  }
}

/** The loopback address at which programs of this machine reach the server. */
export const localHost = (host: string | null): string => (host === null || host === "0.0.0.0" ? "127.0.0.1" : host);
