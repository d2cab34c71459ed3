/** A command line client of one session: its state over all connections, and what it does on each of them. */
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import { type AgentError, makeError } from "@/lib/events/error";
import type { RunEnd } from "@/lib/events/event";
import { asId, type ClientId, type CommandId, type ProjectId, type SessionId } from "@/lib/events/id";
import { engineConnectionId } from "@/lib/models/engine";
import { isSameModelName } from "@/lib/models/model-names";
import { toModelInput, type ParsedModelName } from "@/lib/models/parse-model-name";
import type { Mode } from "@/lib/permissions/policy";
import type { ModelState, SessionView } from "@/lib/view/view";
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
export interface RunJob extends FollowedRun {
  readonly command: RunArguments;
  readonly clientId: ClientId;
  /** Ids of the commands that open the session. */
  ids: OpeningIds;
  sessionId: SessionId | null;
  /** The session is the folder's newest. */
  continues: boolean;
  /** Mode and model that the session gets when it is opened; null = its own, or the choice of the server. */
  mode: Mode | null;
  model: string | null;
  sentSeq: number | null;
  /** Number of lost connections. */
  losses: number;
  /** A request was denied that no user has seen. */
  isDenied: boolean;
  /** The user requested the end of the run. */
  stopping: boolean;
  /** A signal other than Ctrl+C, or the reader of the output having gone, ends the job with its run. */
  isEnding: boolean;
  /** Stops the run on the server; null = nothing to stop yet. */
  abort: (() => Promise<unknown>) | null;
}

interface OpeningIds {
  readonly create: CommandId;
  readonly mode: CommandId;
  readonly model: CommandId;
  /** For each of the files. */
  readonly pins: readonly CommandId[];
}

const makeOpeningIds = ({ files }: RunArguments): OpeningIds => ({
  create: randomId("c"),
  mode: randomId("c"),
  model: randomId("c"),
  pins: files.map(() => randomId("c")),
});

export const makeRunJob = (command: RunArguments): RunJob => ({
  command,
  clientId: randomId<ClientId>("run"),
  ids: makeOpeningIds(command),
  sessionId: command.session === null ? null : asId<SessionId>(command.session),
  continues: command.continue,
  mode: modeByApprove[command.approve],
  model: command.model,
  sentSeq: null,
  losses: 0,
  isDenied: false,
  stopping: false,
  isEnding: false,
  abort: null,
});

/** The session that is opened next is a new one. */
export function leaveSession(job: RunJob): void {
  job.ids = makeOpeningIds(job.command);
  job.sessionId = null;
  job.continues = false;
  job.sentSeq = null;
}

const modeByApprove: Readonly<Record<ApproveMode, Mode>> = { ask: "ask", edits: "edits", all: "full", none: "ask" };
const exitCodeByEnd: Readonly<Record<RunEnd, number>> = { done: 0, error: 1, interrupted: 1, limit: 3, aborted: 130 };

export const startMode = ({ command }: RunJob): Mode => modeByApprove[command.approve];

/** Exit code of a run that is done although a request was denied that no user has seen. */
const deniedExitCode = 4;

/** Exit code of the job for the end of its last run. */
export const runExitCode = (job: RunJob, end: RunEnd): number =>
  end === "done" && job.isDenied ? deniedExitCode : exitCodeByEnd[end];

/** A job's connection to the server. */
export interface JobConnection {
  readonly link: SessionLink;
  readonly follower: RunFollower;
  readonly output: RunOutput;
  /** Sends a command. Rejects with RunFailure, LinkLost or the signal's reason. */
  readonly must: CallOrThrow;
  /** Opens the job's session once, made if there is none, with its model, mode and files. Rejects as `must`. */
  openSession(): Promise<SessionView>;
}

/** Does the job's work on one connection. Rejects with LinkLost (call it again), RunFailure, or the signal's reason. */
export async function runJob(
  job: RunJob,
  server: ServerFile,
  output: RunOutput,
  work: (connection: JobConnection) => Promise<number>,
  signal: AbortSignal,
): Promise<number> {
  const follower = new RunFollower(job, output, job.command.approve, () => {
    job.isDenied = true;
  });
  const link = await openLink(server, job.clientId, follower, signal);
  const must: CallOrThrow = async (name, input) => {
    const answer = await link.call(name, input);
    if (!answer.ok) throw new RunFailure(cliErrorText(await findCause(answer.error, link)), answer.error.code);
    return answer.value;
  };
  let opened: SessionView | null = null;
  const openSession = async (): Promise<SessionView> => {
    if (opened === null || opened.sessionId !== job.sessionId) opened = await openJobSession(job, connection);
    const { sessionId } = opened;
    job.abort = () => link.call("session.abort", { sessionId });
    return opened;
  };
  const connection = { link, follower, must, output, openSession };
  try {
    return await work(connection);
  } finally {
    job.abort = null;
    follower.leave();
    link.close();
  }
}

async function openJobSession(
  job: RunJob,
  { link, follower, must, output }: Omit<JobConnection, "openSession">,
): Promise<SessionView> {
  const named = await resolveNamedModel(job, must, output);
  const sessionId = await ensureSession(job, named, must);
  const view = await follower.follow(link, sessionId);
  const { mode } = job;
  if (mode !== null && view.mode !== mode) await must("session.update", { sessionId, commandId: job.ids.mode, mode });
  const missing = mode === "full" && job.sentSeq === null ? sandboxLine(await must("settings.sandbox", {})) : null;
  if (missing !== null) output.note(`· ${missing}`);
  if (named !== null && !isModelInUse(named, view.model))
    await must("session.model", { sessionId, commandId: job.ids.model, ...toModelInput(named) });
  if (job.sentSeq === null) await pinFiles(job, sessionId, link);
  job.mode = null;
  job.model = null;
  return view;
}

/** Work of a job with one prompt, which is sent once, also over several connections: its exit code. */
export function sendOnePrompt(job: RunJob, text: string): (connection: JobConnection) => Promise<number> {
  const commandId = randomId<CommandId>("c");
  return async ({ follower, link, must, openSession }) => {
    const { sessionId } = await openSession();
    job.sentSeq = (await must("session.send", { sessionId, commandId, text, intent: "prompt" })).seq;
    if (job.stopping) await job.abort?.();
    return runExitCode(job, await follower.end(link.lost));
  };
}

/** Does `work`, and when it fails removes a session that was made for a prompt which was then refused. */
export const withoutUnusedSession =
  (job: RunJob, work: (connection: JobConnection) => Promise<number>) =>
  async (connection: JobConnection): Promise<number> => {
    try {
      return await work(connection);
    } catch (error) {
      const { command, sessionId, sentSeq } = job;
      const isOwn = command.session === null && !command.continue;
      if (error instanceof RunFailure && isOwn && sessionId !== null && sentSeq === null)
        await connection.link.call("session.remove", { sessionId });
      throw error;
    }
  };

/** Throws RunFailure for a file that cannot be pinned. */
async function pinFiles({ command, ids }: RunJob, sessionId: SessionId, link: SessionLink): Promise<void> {
  for (const [index, commandId] of ids.pins.entries()) {
    const path = command.files[index] ?? "";
    const answer = await link.call("session.pin", { sessionId, commandId, path, pinned: true });
    if (answer.ok) continue;
    throw new RunFailure(`${printable(path)} can't be pinned: ${pinErrorText(answer.error)}`);
  }
}

const pinErrorText = (error: AgentError): string =>
  error.code === "too_large" && error.facts?.maxTokens !== undefined
    ? `it is too large, pinned files have ${error.facts.maxTokens} tokens of the context window`
    : cliErrorText(makeError(error.code));

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
export async function resolveNamedModel(
  { model, sessionId, continues }: Pick<RunJob, "model" | "sessionId" | "continues">,
  must: CallOrThrow,
  output: RunOutput,
): Promise<ParsedModelName | null> {
  if (model === null && (sessionId !== null || continues)) return null;
  const welcome = await fetchWelcome(must);
  if (model !== null) return findNamedModel(modelLists(must), model, welcome);
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

export type CallOrThrow = <N extends CommandName>(name: N, input: CommandInput<N>) => Promise<CommandOutput<N>>;

/** The named session, the folder's newest, or a new one; the same for every connection. */
async function ensureSession(job: RunJob, named: ParsedModelName | null, must: CallOrThrow): Promise<SessionId> {
  const { command } = job;
  if (job.sessionId !== null) return job.sessionId;
  const { project } = await must("project.open", { path: command.cwd });
  job.sessionId = job.continues
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
  { mode, ids }: RunJob,
  named: ParsedModelName | null,
  must: CallOrThrow,
): Promise<SessionId> {
  const chosen = { ...(mode === null ? {} : { mode }), ...(named === null ? {} : toModelInput(named)) };
  return (await must("session.create", { projectId, commandId: ids.create, ...chosen })).row.id;
}
