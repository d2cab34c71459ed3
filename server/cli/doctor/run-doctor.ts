/**
 * `gopi-web doctor`: tests a model on this machine. A client of the home's server, which runs the test; prints the
 * progress step by step.
 */
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import type { DoctorRun, ModelServerState } from "@/lib/models/models";
import type { ClientId } from "@/lib/events/id";
import { toModelInput, parseModelName, type ParsedModelName } from "@/lib/models/parse-model-name";
import { preferredModels } from "@/lib/settings/settings";
import { randomId } from "@/server/base/id";
import type { DoctorArguments } from "../arguments/parse-arguments";
import { runLine, stepLine, verdictLine } from "./doctor-lines";
import { printable } from "../arguments/options";
import { RunFailure, cliErrorText } from "../cli-error-text";
import { LinkLost, openLink, type SessionLink } from "../session-link";
import { findOrStartServer, StartError } from "../start-server";

const abortedExitCode = 130;

/** Exit code: 0 the model is usable, 1 it is not or the test failed, 130 stopped. */
export async function runDoctor(command: DoctorArguments): Promise<number> {
  const interrupted = new AbortController();
  const leave = new AbortController();
  const stop = (): void => {
    // The second signal leaves at once.
    if (interrupted.signal.aborted) leave.abort();
    interrupted.abort();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  try {
    return await runModelTest(command, interrupted.signal, leave.signal);
  } catch (error) {
    if (interrupted.signal.aborted) return abortedExitCode;
    const message = failureMessage(error);
    if (message === null) throw error;
    process.stderr.write(`gopi-web: ${message}\n`);
    return 1;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

/** Message of an expected failure; null = a bug. */
function failureMessage(error: unknown): string | null {
  if (error instanceof StartError) return `${error.message}; see ${printable(error.log)}`;
  if (error instanceof LinkLost) return `the connection was lost (${printable(error.message)})`;
  return error instanceof RunFailure ? error.message : null;
}

/** `signal` stops the test; `leave` also exits without waiting for its end. */
async function runModelTest(command: DoctorArguments, signal: AbortSignal, leave: AbortSignal): Promise<number> {
  const server = await findOrStartServer(command.home, command.cwd, signal);
  const follower = makeTestFollower(command.json);
  const listeners = { onEvents: () => {}, onResync: () => {}, onPush: follower.onPush };
  const link = await openLink(server, randomId<ClientId>("doctor"), listeners, leave);
  try {
    const model = await resolveTestedModel(link, command.model);
    follower.begin(await callOrThrow(link, "models.doctor", toModelInput(model)));
    const stop = (): void => void link.call("models.cancel_doctor", {}).catch(() => {});
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    return await follower.end(link.lost);
  } finally {
    link.close();
  }
}

async function callOrThrow<N extends CommandName>(
  link: SessionLink,
  name: N,
  input: CommandInput<N>,
): Promise<CommandOutput<N>> {
  const answer = await link.call(name, input);
  if (!answer.ok) throw new RunFailure(cliErrorText(answer.error));
  return answer.value;
}

/** The named model, possibly of a connection, or the one of a new session. */
async function resolveTestedModel(link: SessionLink, named: string | null): Promise<ParsedModelName> {
  const { models, connections, settings } = await callOrThrow(link, "app.welcome", {});
  if (named !== null) return parseModelName(named, models.models, connections);
  const connection = connections.find(({ id }) => id === settings.connection);
  if (connection === undefined || connection.model === "")
    return { name: await resolveDefaultModel(link, settings.model) };
  return { name: connection.model, connection: connection.id };
}

async function resolveDefaultModel(link: SessionLink, model: string): Promise<string> {
  if (model !== "") return model;
  const { models, error }: ModelServerState = await callOrThrow(link, "models.refresh", {});
  if (error !== undefined) throw new RunFailure(cliErrorText(error));
  const local = models.filter((one) => !one.cloud && !one.capabilities.includes("embedding"));
  const usual = preferredModels.find((name) => local.some((one) => one.name === name)) ?? local[0]?.name;
  if (usual === undefined)
    throw new RunFailure("no model installed; download one first, for example: ollama pull qwen3:8b");
  return usual;
}

/** Prints each step once, when it is finished, and detects the end. */
function makeTestFollower(json: boolean) {
  const printed = new Set<string>();
  const early: DoctorRun[] = [];
  let model: string | null = null;
  let ended = (_code: number): void => {};
  let code: number | null = null;
  const write = (line: string): void => void process.stdout.write(`${line}\n`);

  function show(run: DoctorRun): void {
    if (run.model !== model || code !== null) return;
    if (json) write(JSON.stringify(run));
    for (const step of json ? [] : run.steps) {
      if (step.state === "waiting" || step.state === "running" || printed.has(step.step)) continue;
      printed.add(step.step);
      write(stepLine(step));
    }
    if (run.cancelled === true) finish(abortedExitCode);
    if (run.report === undefined) return;
    if (!json) write(verdictLine(run.report));
    finish(run.report.verdict === "unusable" ? 1 : 0);
  }
  function finish(with_: number): void {
    code = with_;
    ended(with_);
  }
  return {
    onPush(push: { readonly type: string; readonly run?: DoctorRun }): void {
      if (push.type !== "doctor" || push.run === undefined) return;
      if (model === null) early.push(push.run);
      else show(push.run);
    },
    begin(run: DoctorRun): void {
      model = run.model;
      if (!json) write(runLine(run));
      for (const each of early.splice(0)) show(each);
    },
    /** Exit code of the test. Rejects with the reason of `lost`. */
    end: (lost: AbortSignal): Promise<number> =>
      new Promise((resolve, reject) => {
        if (code !== null) return resolve(code);
        ended = resolve;
        if (lost.aborted) return reject(lost.reason);
        lost.addEventListener("abort", () => reject(lost.reason), { once: true });
      }),
  };
}
