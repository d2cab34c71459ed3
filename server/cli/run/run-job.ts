/** One connection's part of a `run`: opens the session, sends the prompt, follows it to its end. */
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import type { AgentError } from "@/lib/events/error";
import type { RunEnd } from "@/lib/events/event";
import { asId, type ClientId, type CommandId, type ProjectId, type SessionId } from "@/lib/events/id";
import { engineConnectionId } from "@/lib/models/engine";
import { isSameModelName } from "@/lib/models/model-names";
import { toModelInput, type ParsedModelName } from "@/lib/models/parse-model-name";
import type { Mode } from "@/lib/permissions/policy";
import type { ModelState } from "@/lib/view/view";
import { randomId } from "@/server/base/id";
import type { ServerFile } from "@/server/store/core/server-file";
import type { ApproveMode, RunArguments } from "../arguments/parse-arguments";
import { RunFollower, type FollowedRun } from "./run-follower";
import type { RunOutput } from "./run-printer";
import { printable } from "../arguments/options";
import { RunFailure, cliErrorText } from "../cli-error-text";
import { fetchWelcome, findNamedModel, modelLists, resolveReplacement } from "../resolve-model";
import { sandboxLine } from "../sandbox-line";
import { openLink, type SessionLink } from "../session-link";

/** State that survives reconnects. */
interface RunJob extends FollowedRun {
  readonly command: RunArguments;
  readonly prompt: string;
  readonly clientId: ClientId;
  readonly ids: {
    readonly create: CommandId;
    readonly mode: CommandId;
    readonly model: CommandId;
    readonly send: CommandId;
    /** For each of the files. */
    readonly pins: readonly CommandId[];
  };
  sessionId: SessionId | null;
  /** seq of the prompt; later entries belong to this run. */
  sentSeq: number | null;
  /** A request was denied that no user has seen. */
  isDenied: boolean;
  /** The user requested the end. */
  stopping: boolean;
  /** Stops the run on the server; null = nothing to stop yet. */
  abort: (() => Promise<unknown>) | null;
}

export const makeRunJob = (command: RunArguments, prompt: string): RunJob => ({
  command,
  prompt,
  clientId: randomId<ClientId>("run"),
  ids: {
    create: randomId("c"),
    mode: randomId("c"),
    model: randomId("c"),
    send: randomId("c"),
    pins: command.files.map(() => randomId("c")),
  },
  sessionId: command.session === null ? null : asId<SessionId>(command.session),
  sentSeq: null,
  isDenied: false,
  stopping: false,
  abort: null,
});

const modeByApprove: Readonly<Record<ApproveMode, Mode>> = { ask: "ask", edits: "edits", all: "full", none: "ask" };
const exitCodeByEnd: Readonly<Record<RunEnd, number>> = { done: 0, error: 1, interrupted: 1, limit: 3, aborted: 130 };

/** Exit code of a run that is done although a request was denied that no user has seen. */
const deniedExitCode = 4;

/** Exit code of the run. Rejects with LinkLost (call it again), RunFailure, or the signal's reason. */
export async function runJob(job: RunJob, server: ServerFile, output: RunOutput, signal: AbortSignal): Promise<number> {
  const follower = new RunFollower(job, output, job.command.approve, () => {
    job.isDenied = true;
  });
  const link = await openLink(server, job.clientId, follower, signal);
  const must = async <N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>> => {
    const answer = await link.call(name, input);
    if (!answer.ok) throw new RunFailure(cliErrorText(await findCause(answer.error, link)), answer.error.code);
    return answer.value;
  };
  try {
    const named = await resolveNamedModel(job, must, output);
    const sessionId = await ensureSession(job, named, must);
    const view = await follower.follow(link, sessionId);
    const mode = modeByApprove[job.command.approve];
    if (view.mode !== mode) await must("session.update", { sessionId, commandId: job.ids.mode, mode });
    const missing = mode === "full" && job.sentSeq === null ? sandboxLine(await must("settings.sandbox", {})) : null;
    if (missing !== null) output.note(`· ${missing}`);
    if (named !== null && !isModelInUse(named, view.model))
      await must("session.model", { sessionId, commandId: job.ids.model, ...toModelInput(named) });
    if (job.sentSeq === null) await pinFiles(job, sessionId, link);
    job.abort = () => link.call("session.abort", { sessionId });
    const sent = await must("session.send", { sessionId, commandId: job.ids.send, text: job.prompt, intent: "prompt" });
    job.sentSeq = sent.seq;
    if (job.stopping) await job.abort();
    const end = await follower.end(link.lost);
    return end === "done" && job.isDenied ? deniedExitCode : exitCodeByEnd[end];
  } catch (error) {
    if (error instanceof RunFailure) await removeUnusedSession(job, link);
    throw error;
  } finally {
    job.abort = null;
    follower.leave();
    link.close();
  }
}

/** Removes a session that was made for a prompt which was then refused. */
async function removeUnusedSession({ command, sessionId, sentSeq }: RunJob, link: SessionLink): Promise<void> {
  if (sessionId === null || sentSeq !== null || command.session !== null || command.continue) return;
  await link.call("session.remove", { sessionId });
}

/** Throws RunFailure for a file that cannot be pinned. */
async function pinFiles({ command, ids }: RunJob, sessionId: SessionId, link: SessionLink): Promise<void> {
  for (const [index, commandId] of ids.pins.entries()) {
    const path = command.files[index] ?? "";
    const answer = await link.call("session.pin", { sessionId, commandId, path, pinned: true });
    if (answer.ok) continue;
    throw new RunFailure(`${printable(path)} can't be pinned: ${pinErrorText(answer.error)}`);
  }
}

const pinErrorText = ({ code, facts }: AgentError): string =>
  code === "too_large" && typeof facts?.maxTokens === "number"
    ? `it is too large, pinned files have ${facts.maxTokens} tokens of the context window`
    : cliErrorText({ code });

/** Replaces no_model by server_unreachable while the model server does not answer: that is the real cause. */
async function findCause(error: AgentError, link: SessionLink): Promise<AgentError> {
  if (error.code !== "no_model") return error;
  const welcome = await link.call("app.welcome", {});
  if (!welcome.ok || welcome.value.models.status === "ready") return error;
  return { code: "server_unreachable", detail: welcome.value.models.host };
}

/**
 * The model of --model, possibly of a connection. Without it a new session may get the connection that replaces an
 * unreachable Ollama; null = the server chooses.
 */
async function resolveNamedModel(
  { command, sessionId }: RunJob,
  must: CallOrThrow,
  output: RunOutput,
): Promise<ParsedModelName | null> {
  if (command.model === null && (sessionId !== null || command.continue)) return null;
  const welcome = await fetchWelcome(must);
  if (command.model !== null) return findNamedModel(modelLists(must), command.model, welcome);
  const instead = await resolveReplacement(must, welcome);
  if (instead === null) return null;
  const { name, connection } = instead;
  // The engine has no address.
  const place = connection.id === engineConnectionId ? "in the built-in engine" : `at ${printable(connection.baseUrl)}`;
  output.note(`· ${printable(name)} ${place}`);
  return { name, connection: connection.id };
}

const isModelInUse = ({ name, connection = "ollama" }: ParsedModelName, used: ModelState | null): boolean =>
  used?.provider === connection && (name === "" || isSameModelName(used.model, name));

type CallOrThrow = <N extends CommandName>(name: N, input: CommandInput<N>) => Promise<CommandOutput<N>>;

/** The named session, the folder's newest, or a new one; the same for every connection. */
async function ensureSession(job: RunJob, named: ParsedModelName | null, must: CallOrThrow): Promise<SessionId> {
  const { command } = job;
  if (job.sessionId !== null) return job.sessionId;
  const { project } = await must("project.open", { path: command.cwd });
  job.sessionId = command.continue
    ? await findNewestSession(project.id, must)
    : await createSession(project.id, job, named, must);
  return job.sessionId;
}

async function findNewestSession(projectId: ProjectId, must: CallOrThrow): Promise<SessionId> {
  const newest = (await must("session.list", { projectId })).rows[0];
  if (newest === undefined) throw new RunFailure("no session in this folder to continue");
  return newest.id;
}

async function createSession(
  projectId: ProjectId,
  { command, ids }: RunJob,
  named: ParsedModelName | null,
  must: CallOrThrow,
): Promise<SessionId> {
  const model = named === null ? {} : toModelInput(named);
  const mode = modeByApprove[command.approve];
  return (await must("session.create", { projectId, commandId: ids.create, mode, ...model })).row.id;
}
