/** The built product on a home of its own, with a scripted model, to be killed and started again as often as one likes. Used by the soak. */
import { randomUUID } from "node:crypto";
import type { CommandName, CommandOutput, CommandRequest } from "@/lib/command";
import type { AgentError } from "@/lib/error";
import { asId, type CommandId, type ProjectId, type SessionId } from "@/lib/id";
import type { Mode } from "@/lib/policy";
import { type ScriptedModel, startScriptedModel } from "../fixtures/scripted-model.mjs";
import { Command, makePlace, type Place, startServer, type TestServer } from "../fixtures/server";
import { passing } from "./random";

/** Ids are plain texts on the wire. */
export type WireInput<N extends CommandName> = { readonly [K in keyof CommandRequest<N>]: unknown };

/** lost = the server died before it had answered: it may have done it or not. */
export type Told<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused"; readonly error: AgentError }
  | { readonly kind: "lost" };

export const freshCommandId = (): CommandId => asId<CommandId>(`soak-${randomUUID()}`);

export class Subject {
  /** Of the folder the server was started in. */
  projectId = asId<ProjectId>("");

  private constructor(
    readonly place: Place,
    readonly model: ScriptedModel,
    readonly server: TestServer,
  ) {}

  /** `prepare` may move the home or the project, and put things there, before the first start. */
  static async start(prepare: (place: Place) => Place = (place) => place): Promise<Subject> {
    const model = await startScriptedModel();
    const place = prepare(makePlace(model.url));
    const subject = new Subject(place, model, await startServer(place));
    const { projects } = await subject.must("project.list", {});
    subject.projectId = projects[0]?.id ?? subject.projectId;
    return subject;
  }

  /** Over HTTP, as a script would. Never rejects. */
  async call<N extends CommandName>(name: N, input: WireInput<N>): Promise<Told<CommandOutput<N>>> {
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

  /** The same where anything but an answer is a fault of the product. */
  async must<N extends CommandName>(name: N, input: WireInput<N>): Promise<CommandOutput<N>> {
    const told = await this.call(name, input);
    if (told.kind === "ok") return told.value;
    throw new Error(`${name}: ${told.kind === "lost" ? "no answer" : JSON.stringify(told.error)}`);
  }

  /** Of the server that runs; empty while none does. */
  get bearer(): string {
    try {
      return this.server.bearer;
    } catch {
      return "";
    }
  }

  async newSession(mode: Mode): Promise<SessionId> {
    const input = { projectId: this.projectId, commandId: freshCommandId(), mode };
    const { row } = await this.must("session.create", input);
    return row.id;
  }

  /** SIGKILL. Resolves when it is dead. */
  async kill(): Promise<void> {
    await this.server.kill("SIGKILL");
  }

  /** Resolves when it is ready again. */
  restart(): Promise<void> {
    return this.server.restart();
  }

  /** A start that is killed after that time, wherever it is then. The server must be dead. */
  async killedStart(afterMs: number): Promise<void> {
    const command = new Command(this.place, [
      "--json",
      "--no-open",
      "--port",
      `${this.server.port}`,
      this.place.project,
    ]);
    await passing(afterMs);
    command.child.kill("SIGKILL");
    await command.done();
  }

  /** Ends everything; what was left running, in words. */
  async end(): Promise<readonly string[]> {
    const left = await this.server.stop();
    await this.model.close();
    return left;
  }
}
