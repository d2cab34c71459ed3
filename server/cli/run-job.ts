/** One connection's part of a `run`: opens the session, sends the prompt, follows it to its end. */
import type { CommandInput, CommandName, CommandOutput } from "@/lib/command";
import type { AgentError } from "@/lib/error";
import type { RunEnd } from "@/lib/event";
import { asId, type ClientId, type CommandId, type ProjectId, type SessionId } from "@/lib/id";
import { canChat } from "@/lib/can-chat";
import { connectionInstead } from "@/lib/connection-instead";
import { modelInput, namedModel, type NamedModel } from "@/lib/named-model";
import type { Mode } from "@/lib/policy";
import type { ModelState } from "@/lib/view";
import { freshId } from "@/server/base/id";
import type { ServerFile } from "@/server/store/server-file";
import type { ApproveMode, RunArguments } from "./args";
import { Follower, type Followed } from "./run-follower";
import type { RunOutput } from "./run-printer";
import { printable } from "./options";
import { RunFailure, sentenceOf } from "./sentences";
import { openLink, type SessionLink } from "./session-link";

/** State that survives reconnects. */
export interface Job extends Followed {
  readonly command: RunArguments;
  readonly prompt: string;
  readonly clientId: ClientId;
  readonly ids: {
    readonly create: CommandId;
    readonly mode: CommandId;
    readonly model: CommandId;
    readonly send: CommandId;
  };
  sessionId: SessionId | null;
  /** seq of the prompt; later entries belong to this run. */
  sentSeq: number | null;
  /** The user requested the end. */
  stopping: boolean;
  /** Stops the run on the server; null = nothing to stop yet. */
  abort: (() => Promise<unknown>) | null;
}

export const makeJob = (command: RunArguments, prompt: string): Job => ({
  command,
  prompt,
  clientId: freshId<ClientId>("run"),
  ids: { create: freshId("c"), mode: freshId("c"), model: freshId("c"), send: freshId("c") },
  sessionId: command.session === null ? null : asId<SessionId>(command.session),
  sentSeq: null,
  stopping: false,
  abort: null,
});

const modeOf: Readonly<Record<ApproveMode, Mode>> = { ask: "ask", edits: "edits", all: "full", none: "ask" };
const codeOf: Readonly<Record<RunEnd, number>> = { done: 0, error: 1, interrupted: 1, limit: 3, aborted: 130 };

/** Exit code of the run. Rejects with LinkLost (call it again), RunFailure, or the signal's reason. */
export async function runJob(job: Job, server: ServerFile, output: RunOutput, signal: AbortSignal): Promise<number> {
  const follower = new Follower(job, output, job.command.approve);
  const link = await openLink(server, job.clientId, follower, signal);
  const must = async <N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>> => {
    const answer = await link.call(name, input);
    if (!answer.ok) throw new RunFailure(sentenceOf(await causeOf(answer.error, link)));
    return answer.value;
  };
  try {
    const named = await namedFor(job, must, output);
    const sessionId = await sessionFor(job, named, must);
    const view = await follower.follow(link, sessionId);
    const mode = modeOf[job.command.approve];
    if (view.mode !== mode) await must("session.update", { sessionId, commandId: job.ids.mode, mode });
    if (named !== null && !isUsed(named, view.model))
      await must("session.model", { sessionId, commandId: job.ids.model, ...modelInput(named) });
    job.abort = () => link.call("session.abort", { sessionId });
    const sent = await must("session.send", { sessionId, commandId: job.ids.send, text: job.prompt, intent: "prompt" });
    job.sentSeq = sent.seq;
    if (job.stopping) await job.abort();
    return codeOf[await follower.end(link.lost)];
  } finally {
    job.abort = null;
    follower.leave();
    link.close();
  }
}

/** Replaces no_model by server_unreachable while the model server does not answer: that is the real cause. */
async function causeOf(error: AgentError, link: SessionLink): Promise<AgentError> {
  if (error.code !== "no_model") return error;
  const welcome = await link.call("app.welcome", {});
  if (!welcome.ok || welcome.value.models.status === "ready") return error;
  return { code: "server_unreachable", detail: welcome.value.models.host };
}

/**
 * The model of --model, possibly of a connection. Without it a new session may get the connection that replaces an
 * unreachable Ollama; null = the server chooses.
 */
async function namedFor({ command, sessionId }: Job, must: Must, output: RunOutput): Promise<NamedModel | null> {
  if (command.model === null && (sessionId !== null || command.continue)) return null;
  const { models, connections, settings } = await must("app.welcome", {});
  if (command.model !== null) return namedModel(command.model, models.models, connections);
  const state = models.status === "unknown" ? await must("models.refresh", {}) : models;
  const instead = connectionInstead(state, settings, connections);
  if (instead === undefined) return null;
  const listed = instead.model === "" ? (await must("connections.models", { id: instead.id })).models : [];
  const name = instead.model === "" ? (listed.find(canChat)?.name ?? "") : instead.model;
  output.note(`· ${printable(name)} at ${printable(instead.baseUrl)}`);
  return { name, connection: instead.id };
}

const isUsed = ({ name, connection = "ollama" }: NamedModel, used: ModelState | null): boolean =>
  used?.provider === connection && (name === "" || used.model === name);

type Must = <N extends CommandName>(name: N, input: CommandInput<N>) => Promise<CommandOutput<N>>;

/** The named session, the folder's newest, or a new one; the same for every connection. */
async function sessionFor(job: Job, named: NamedModel | null, must: Must): Promise<SessionId> {
  const { command } = job;
  if (job.sessionId !== null) return job.sessionId;
  const { project } = await must("project.open", { path: command.cwd });
  job.sessionId = command.continue ? await newestOf(project.id, must) : await createIn(project.id, job, named, must);
  return job.sessionId;
}

async function newestOf(projectId: ProjectId, must: Must): Promise<SessionId> {
  const newest = (await must("session.list", { projectId })).rows[0];
  if (newest === undefined) throw new RunFailure("no session in this folder to continue");
  return newest.id;
}

async function createIn(
  projectId: ProjectId,
  { command, ids }: Job,
  named: NamedModel | null,
  must: Must,
): Promise<SessionId> {
  const model = named === null ? {} : modelInput(named);
  const mode = modeOf[command.approve];
  return (await must("session.create", { projectId, commandId: ids.create, mode, ...model })).row.id;
}
