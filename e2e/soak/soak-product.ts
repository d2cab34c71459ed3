/** The built product with its own home and a scripted model, to be killed and started again any number of times. */
import { randomUUID } from "node:crypto";
import type { CommandName, CommandOutput, CommandRequest } from "@/lib/protocol/command";
import type { AgentError } from "@/lib/events/error";
import { asId, type CommandId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { Mode } from "@/lib/permissions/policy";
import { viewFromSnapshot } from "@/lib/view/view-from-snapshot";
import type { SessionView } from "@/lib/view/view";
import { type ScriptedModel, startScriptedModel } from "../fixtures/scripted-model.mjs";
import {
  ProductCommand,
  makeProductEnvironment,
  type ProductEnvironment,
  startProductServer,
  type TestServer,
} from "../fixtures/server";
import { waitMs } from "./random";
import { SessionFollower } from "./session-follower";

/** Ids are plain strings on the wire. */
type SoakInput<N extends CommandName> = { readonly [K in keyof CommandRequest<N>]: unknown };

/** lost = the server died before it answered: the command may have taken effect or not. */
type CallResult<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused"; readonly error: AgentError }
  | { readonly kind: "lost" };

export const freshSoakCommandId = (): CommandId => asId<CommandId>(`soak-${randomUUID()}`);

export class SoakProduct {
  /** Project of the folder the server was started in. */
  projectId = asId<ProjectId>("");

  private constructor(
    readonly place: ProductEnvironment,
    readonly model: ScriptedModel,
    readonly server: TestServer,
  ) {}

  /** Starts the product. `prepare` may move the home or the project, and add files, before the first start. */
  static async start(
    prepare: (place: ProductEnvironment) => ProductEnvironment = (place) => place,
  ): Promise<SoakProduct> {
    const model = await startScriptedModel();
    const place = prepare(makeProductEnvironment(model.url));
    const subject = new SoakProduct(place, model, await startProductServer(place));
    const { projects } = await subject.callOrThrow("project.list", {});
    subject.projectId = projects[0]?.id ?? subject.projectId;
    return subject;
  }

  /** Calls a command over HTTP, as a script would. Never rejects. */
  async call<N extends CommandName>(name: N, input: SoakInput<N>): Promise<CallResult<CommandOutput<N>>> {
    try {
      const response = await fetch(`${this.server.origin}/api/call`, {
        method: "POST",
        headers: { authorization: `Bearer ${this.bearer}`, "content-type": "application/json" },
        body: JSON.stringify({ name, input }),
      });
      const answer = await response.json();
      return answer.ok === true ? { kind: "ok", value: answer.value } : { kind: "refused", error: answer.error };
    } catch {
      return { kind: "lost" };
    }
  }

  /** Calls a command where anything but a value is a fault of the product: rejects in that case. */
  async callOrThrow<N extends CommandName>(name: N, input: SoakInput<N>): Promise<CommandOutput<N>> {
    const answered = await this.call(name, input);
    if (answered.kind === "ok") return answered.value;
    throw new Error(`${name}: ${answered.kind === "lost" ? "no answer" : JSON.stringify(answered.error)}`);
  }

  /** Bearer token of the running server; empty when none runs. */
  get bearer(): string {
    try {
      return this.server.bearer;
    } catch {
      return "";
    }
  }

  async newSession(mode: Mode): Promise<SessionId> {
    const input = { projectId: this.projectId, commandId: freshSoakCommandId(), mode };
    const { row } = await this.callOrThrow("session.create", input);
    return row.id;
  }

  /** Follows a session as a tab does, which reconnects. `address`: the server, or a proxy in front of it. */
  follow(sessionId: SessionId, { address = this.server.origin, reconnects = true } = {}): SessionFollower {
    const host = `localhost:${this.server.port}`;
    return new SessionFollower(sessionId, { address, host, bearer: () => this.bearer, reconnects });
  }

  /** Returns the view of a client that opens the session now. */
  async freshView(sessionId: SessionId): Promise<SessionView> {
    return viewFromSnapshot((await this.callOrThrow("session.open", { sessionId })).snapshot);
  }

  /** Sends SIGKILL. Resolves when the process has exited. */
  async kill(): Promise<void> {
    await this.server.kill("SIGKILL");
  }

  /** Resolves when the server is ready again. */
  restart(): Promise<void> {
    return this.server.restart();
  }

  /** Starts the server and kills it after that time, whatever it is doing. No server may be running. */
  async killedStart(afterMs: number): Promise<void> {
    const command = new ProductCommand(this.place, [
      "--json",
      "--no-open",
      "--port",
      `${this.server.port}`,
      this.place.project,
    ]);
    await waitMs(afterMs);
    command.child.kill("SIGKILL");
    await command.done();
  }

  /** Ends everything and returns the processes left running, as text. */
  async end(): Promise<readonly string[]> {
    const left = await this.server.stop();
    await this.model.close();
    return left;
  }
}
