/** Signs the user in to configured servers, and out: what is configured, what is stored, and what runs. */
import { type AgentError, ok, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { SecretStore } from "@/server/store/access/secrets";
import type { FeatureHost } from "../../feature";
import type { ConfiguredServer, ConfiguredServers } from "../configured-servers";
import type { McpServiceHost } from "../mcp-service";
import { expandConfigured, missingVariables } from "../server-start";
import type { HttpAuthorization } from "../transport/http-target";
import { makeCallbackListener } from "./callback-listener";
import { failSignIn } from "./sign-in-failure";
import { makeOauthSignIns } from "./sign-ins";
import { makeStoredSignIns, type SignInSession } from "./stored-sign-ins";

/** Path of the settings of servers. */
export const toolsPath = "/settings/tools";

interface SignInSubject {
  readonly projectId: ProjectId;
  /** `key` of the server. */
  readonly key: string;
}

/** The end of a sign-in. */
interface FinishedSignIn {
  readonly subject: SignInSubject;
  readonly error: AgentError | null;
}

export interface SignInService {
  authorization(url: string): HttpAuthorization;
  /** Returns the address that the user opens. */
  begin(server: ConfiguredServer, projectId: ProjectId, signal: AbortSignal): Promise<Result<URL>>;
  /** Takes a return address. Fails with not_found. */
  finish(address: string, signal: AbortSignal): Promise<Result<FinishedSignIn>>;
  /** `root` = real path of the project; null = it was not opened. Null = the user is signed out. */
  session(server: ConfiguredServer, root: string | null): Pick<SignInSession, "missingScope"> | null;
  signOut(server: ConfiguredServer, root: string | null): void;
  /** The user has removed it: signs him out, except from an address that another server has. */
  forget(server: ConfiguredServer, configured: ConfiguredServers): void;
  /** Signs the user out of servers that were removed from their files by hand. */
  forgetMissing(configured: ConfiguredServers): void;
  close(): void;
}

type SignInHost = Pick<McpServiceHost, "store" | "environment" | "projects"> &
  Pick<FeatureHost, "now" | "serverPort" | "pagesAt">;

/** `receive` gets the target of a return address at another port, and returns the path of the page to show. */
export function makeSignInService(host: SignInHost, receive: (target: string) => Promise<string>): SignInService {
  const secrets: ReturnType<SecretStore["in"]> = host.store.secrets.in("signIns");
  const listener = makeCallbackListener(async (target) => host.pagesAt() + (await receive(target)));
  const stored = makeStoredSignIns(secrets);
  const signIns = makeOauthSignIns<SignInSubject>({
    stored,
    now: host.now,
    port: host.serverPort,
    pagesAt: host.pagesAt,
    listener,
  });
  /** Null = it has no address now. */
  const addressOf = (server: ConfiguredServer, root: string | null): string | null => {
    const expanded = expandConfigured(host, server, root);
    return expanded.ok && expanded.server.kind === "http" ? expanded.server.url : null;
  };
  /** Its addresses in all projects that were opened. */
  const addressesOf = (server: ConfiguredServer, { rootOf, roots }: ConfiguredServers): readonly string[] => {
    const places = server.projectId === null ? [null, ...roots()] : [rootOf(server.projectId)];
    return places.map((root) => addressOf(server, root)).filter((address) => address !== null);
  };
  const allAddresses = (configured: ConfiguredServers, except: string | null): readonly string[] =>
    [...configured.ofHome(), ...configured.ofProjects()]
      .filter(({ key }) => key !== except)
      .flatMap((server) => addressesOf(server, configured));
  return {
    authorization: signIns.authorization,
    async begin(configured, projectId, signal) {
      const opened = await host.projects.get(projectId);
      if (!opened.ok) return opened;
      const expanded = expandConfigured(host, configured, opened.value.root);
      if (!expanded.ok) return missingVariables(expanded.missing);
      const { server } = expanded;
      if (server.kind !== "http") return failSignIn({ reason: "sign_in_unsupported" });
      const owner = { file: configured.file, name: configured.config.name };
      return signIns.begin({ ...server, owner }, { projectId, key: configured.key }, signal);
    },
    async finish(address, signal) {
      if (!URL.canParse(address, "http://localhost")) return failSignIn({ reason: "sign_in_state" });
      const url = new URL(address, "http://localhost");
      const finished = await signIns.finish(url, signal);
      if (finished === null) return failSignIn({ reason: "sign_in_state" });
      const { subject, result } = finished;
      return ok({ subject, error: result.ok ? null : result.error });
    },
    session(server, root) {
      const address = addressOf(server, root);
      return address === null ? null : signIns.session(address);
    },
    signOut(server, root) {
      const address = addressOf(server, root);
      if (address !== null) signIns.signOut(address);
    },
    forget(server, configured) {
      const { file, key, config } = server;
      const used = allAddresses(configured, key);
      for (const address of addressesOf(server, configured)) if (!used.includes(address)) signIns.signOut(address);
      stored.removeSessions(
        (owner) => owner.file === file && owner.name === config.name,
        () => used,
      );
    },
    forgetMissing: (configured) =>
      stored.removeSessions(
        ({ file, name }) => configured.isMissing(file, name),
        () => allAddresses(configured, null),
      ),
    close: listener.closeAll,
  };
}
