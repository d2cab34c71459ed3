/** The commands by which the user signs in to servers and out. */
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { Hash, ProjectId } from "@/lib/events/id";
import type { McpState } from "@/lib/tools/mcp";
import type { FeatureHost } from "../../feature";
import type { ConfiguredServer } from "../configured-servers";
import type { McpService } from "../mcp-service";
import { type SignInService, toolsPath } from "./sign-in-service";

interface ServerInput {
  readonly projectId: ProjectId;
  /** Id of the server. */
  readonly server: string;
}

interface SignInCommandParts extends Pick<FeatureHost, "push"> {
  readonly signIns: SignInService;
  readonly service: McpService;
  /** Gets why a sign-in failed, by the `key` of its server. */
  readonly failures: Map<string, AgentError>;
  /** Answers with the state after `work`. */
  withServer(
    input: ServerInput,
    work: (server: ConfiguredServer) => Promise<Result<unknown>>,
  ): Promise<Result<McpState>>;
  /** Fires when the program ends. */
  readonly signal: AbortSignal;
}

export function makeSignInCommands(parts: SignInCommandParts) {
  const { signIns, service, failures, push, withServer, signal } = parts;
  return {
    async "mcp.sign_in"({
      projectId,
      server: id,
      launch,
    }: ServerInput & { readonly launch: Hash }): Promise<Result<{ address: string }>> {
      await service.configured.open(projectId);
      const server = service.configured.in(projectId).find((one) => one.id === id);
      if (server === undefined) return fail("not_found");
      if (server.launch !== launch) return fail("changed_meanwhile");
      const begun = await signIns.begin(server, projectId, signal);
      return begun.ok ? ok({ address: begun.value.href }) : begun;
    },
    async "mcp.finish_sign_in"({
      address,
    }: {
      readonly address: string;
    }): Promise<Result<{ page: string; error?: AgentError }>> {
      const finished = await signIns.finish(address, signal);
      if (!finished.ok) return finished;
      const { subject, error } = finished.value;
      const server = service.configured.in(subject.projectId).find(({ key }) => key === subject.key);
      if (server === undefined) {
        // Its file was edited meanwhile.
        signIns.forgetMissing(service.configured);
        return fail("not_found");
      }
      failures.delete(server.key);
      if (error !== null) failures.set(server.key, error);
      // Its next call begins with the token; the failure before the sign-in is over.
      await service.stop(server);
      push({ type: "mcp", projectId: subject.projectId });
      return ok({ page: `${toolsPath}#mcp/${subject.projectId}/${server.id}`, ...(error === null ? {} : { error }) });
    },
    "mcp.sign_out": (input: ServerInput) =>
      withServer(input, async (server) => {
        signIns.signOut(server, service.configured.rootOf(input.projectId));
        failures.delete(server.key);
        return ok(await service.stop(server));
      }),
  };
}
