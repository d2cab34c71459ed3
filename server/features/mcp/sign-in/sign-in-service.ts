/** Signs the user in to configured servers, and out: what is configured, what is stored, and what runs. */
import { type AgentError, ok, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { SecretStore } from "@/server/store/access/secrets";
import type { FeatureHost } from "../../feature";
import type { ConfiguredServer } from "../configured-servers";
import type { McpServiceHost } from "../mcp-service";
import { expandConfigured, missingVariables } from "../server-start";
import type { HttpAuthorization } from "../transport/http-target";
import { makeCallbackListener } from "./callback-listener";
import { failSignIn } from "./sign-in-failure";
import { makeOauthSignIns } from "./sign-ins";
import { makeStoredSignIns } from "./stored-sign-ins";

/** Path of the settings of servers. */
export const toolsPath = "/settings/tools";

interface SignInSubject {
  readonly projectId: ProjectId;
  /** `key` of the server. */
  readonly key: string;
}

/** The end of a sign-in. */
export interface FinishedSignIn {
  readonly subject: SignInSubject;
  readonly error: AgentError | null;
}

export interface SignInService {
  authorization(url: string): HttpAuthorization;
  /** Returns the address that the user opens. */
  begin(server: ConfiguredServer, projectId: ProjectId, signal: AbortSignal): Promise<Result<URL>>;
  /** Takes a return address. Fails with not_found. */
  finish(address: string, signal: AbortSignal): Promise<Result<FinishedSignIn>>;
  isSignedIn(server: ConfiguredServer): boolean;
  signOut(server: ConfiguredServer): void;
  close(): void;
}

type SignInHost = Pick<McpServiceHost, "store" | "environment" | "projects"> & Pick<FeatureHost, "now" | "serverPort">;

/** `receive` gets the target of a return address at another port, and returns the path of the page to show. */
export function makeSignInService(host: SignInHost, receive: (target: string) => Promise<string>): SignInService {
  const secrets: ReturnType<SecretStore["in"]> = host.store.secrets.in("signIns");
  const listener = makeCallbackListener(
    async (target) => `http://localhost:${host.serverPort()}${await receive(target)}`,
  );
  const stored = makeStoredSignIns(secrets);
  const signIns = makeOauthSignIns<SignInSubject>({ stored, now: host.now, port: host.serverPort, listener });
  /** Null = it has no address now. */
  const addressOf = (server: ConfiguredServer): string | null => {
    const expanded = expandConfigured(host, server, null);
    return expanded.ok && expanded.server.kind === "http" ? expanded.server.url : null;
  };
  return {
    authorization: signIns.authorization,
    async begin(configured, projectId, signal) {
      const opened = await host.projects.get(projectId);
      if (!opened.ok) return opened;
      const expanded = expandConfigured(host, configured, opened.value.root);
      if (!expanded.ok) return missingVariables(expanded.missing);
      const { server } = expanded;
      if (server.kind !== "http") return failSignIn("sign_in_unsupported");
      return signIns.begin(server, { projectId, key: configured.key }, signal);
    },
    async finish(address, signal) {
      if (!URL.canParse(address, "http://localhost")) return failSignIn("sign_in_state");
      const url = new URL(address, "http://localhost");
      const finished = await signIns.finish(url, signal);
      if (finished === null) return failSignIn("sign_in_state");
      const { subject, result } = finished;
      return ok({ subject, error: result.ok ? null : result.error });
    },
    isSignedIn(server) {
      const address = addressOf(server);
      return address !== null && signIns.isSignedIn(address);
    },
    signOut(server) {
      const address = addressOf(server);
      if (address !== null) signIns.signOut(address);
    },
    close: listener.closeAll,
  };
}
