/** `gopi-web chat`: a conversation in a terminal. A client of the home's server, as `run` is, with any number of prompts. */
import type { CommandId, ProjectId } from "@/lib/events/id";
import { escapeInvisible } from "@/lib/text/escape-invisible";
import { randomId } from "@/server/base/id";
import type { Environment } from "../arguments/options";
import type { ChatArguments } from "../arguments/parse-arguments";
import { RunFailure } from "../cli-error-text";
import { type JobConnection, makeRunJob, type RunJob } from "../run/run-job";
import { makeRunOutput } from "../run/run-output";
import type { RunOutput } from "../run/run-printer";
import { runPrompt } from "../run/run-prompt";
import { reportFailures, runUntilDone } from "../run/run-until-done";
import { abortedExitCode, callOrThrow } from "../server-job";
import { runChatCommand } from "./chat-commands";
import { ChatEditor } from "./chat-editor";
import { openChatHistory } from "./chat-history";
import { chatCommands, parseChatLine, mentionedPaths } from "./chat-line";
import { completeChat, type ChatNames } from "./complete-chat";
import type { Reference } from "@/lib/protocol/reference-commands";
import { limits } from "@/lib/settings/settings";
import type { SessionLink } from "../session-link";

const maxFoundFiles = 50;

const findProject = async (link: SessionLink, cwd: string): Promise<ProjectId> =>
  (await callOrThrow(link, "project.open", { path: cwd })).project.id;

/** Requests the names that a line of `gopi-web chat` can have from the server: files, models, skills. */
const makeChatNames = ({ link }: JobConnection, cwd: string): ChatNames => ({
  async models() {
    const { hosts } = await callOrThrow(link, "models.hosts", {});
    return hosts.flatMap(({ id, models }) => models.map(({ name }) => (id === "ollama" ? name : `${id}/${name}`)));
  },
  async skills() {
    const { places } = await callOrThrow(link, "skills.list", { projectId: await findProject(link, cwd) });
    return places.flatMap(({ skills }) => skills.map(({ name }) => name));
  },
  async files(query) {
    const projectId = await findProject(link, cwd);
    return (await callOrThrow(link, "files.find", { projectId, query, max: maxFoundFiles, refresh: false })).paths;
  },
});

/** The files and folders of the project that the text names after `@`. Rejects as the connection's commands. */
async function findReferences(text: string, { link, must }: JobConnection, cwd: string): Promise<readonly Reference[]> {
  const paths = mentionedPaths(text);
  if (paths.length === 0) return [];
  const { existing } = await must("files.existing", { projectId: await findProject(link, cwd), paths: [...paths] });
  return existing
    .slice(0, limits.messageReferences)
    .map(({ path, isFolder }) => ({ kind: isFolder ? "folder" : "file", path }));
}

/** Exit code: 0 left, 1 error, 2 usage, 130 left by Ctrl+C; without a terminal that of `run`. */
export async function runChat(command: ChatArguments, environment: Environment): Promise<number> {
  const { stdin: input, stdout: output } = process;
  if (!input.isTTY || !output.isTTY || !process.stderr.isTTY) {
    if (command.prompt !== null) return runPrompt({ ...command, kind: "run" }, environment);
    process.stderr.write('gopi-web: chat needs a terminal; without one, pass the text: gopi-web run "fix the tests"\n');
    return 2;
  }
  // A session keeps its mode, a new one gets that of the settings.
  const job: RunJob = { ...makeRunJob({ ...command, kind: "run" }), mode: null };
  const printer = makeRunOutput({ json: false, interactive: true }, environment);
  let names: ChatNames | null = null;
  const complete = async (line: string) => (names === null ? ([[], line] as const) : completeChat(line, names));
  const history = openChatHistory(command.home);
  const editor = new ChatEditor({ input, output, history, complete, marksPastes: environment.TERM !== "dumb" });
  const chat = new Chat(job, editor, printer);
  return reportFailures(printer, () =>
    runUntilDone(job, printer, (connection) => {
      names = makeChatNames(connection, command.cwd);
      return chat.talk(connection);
    }),
  );
}

/** A chat over all its connections. */
class Chat {
  /** The message that is sent until it is answered, with the same id over several connections. */
  #message: { readonly commandId: CommandId; readonly text: string } | null = null;
  /** The user stopped the last run. */
  #isStopped = false;

  constructor(
    private readonly job: RunJob,
    private readonly editor: ChatEditor,
    private readonly output: RunOutput,
  ) {
    const { prompt } = job.command;
    if (prompt === null) this.output.note("· /help lists the commands, Ctrl+D leaves");
    else this.#message = { commandId: randomId<CommandId>("c"), text: prompt };
  }

  /** Work of the job: its exit code. */
  async talk(connection: JobConnection): Promise<number> {
    const { job, output } = this;
    if (job.continues || job.sessionId !== null) {
      const isNew = job.continues || job.losses === 0;
      const { title } = await connection.openSession();
      if (isNew) output.note(`· ${escapeInvisible(title)}`);
      job.continues = false;
    }
    for (;;) {
      const exitCode = this.#message === null ? await this.#read(connection) : null;
      if (exitCode !== null) return exitCode;
      const message = this.#message;
      if (message === null) continue;
      await this.#attempt(() => this.#send(message, connection));
      this.#message = null;
      if (job.isEnding) return abortedExitCode;
    }
  }

  /** Reads a message, or reads a command and runs it. Returns the exit code if the user leaves. */
  async #read(connection: JobConnection): Promise<number | null> {
    this.job.abort = null;
    const input = await this.editor.read(this.#isStopped, connection.link.lost);
    this.#isStopped = false;
    if ("exitCode" in input) return input.exitCode;
    const line = parseChatLine(input.text);
    if (line.kind === "command") {
      const { name, argument } = line;
      if (name === "exit") return 0;
      await this.#attempt(() => runChatCommand(name, argument, this.job, connection));
    }
    if (line.kind === "unknown") {
      const names = Object.keys(chatCommands).map((name) => `/${name}`);
      this.output.note(`gopi-web: There is no /${line.word}; there are ${names.join(", ")}`);
    }
    if (line.kind === "message" && line.text.trim() !== "")
      this.#message = { commandId: randomId<CommandId>("c"), text: line.text };
    return null;
  }

  async #send(
    { commandId, text }: { readonly commandId: CommandId; readonly text: string },
    connection: JobConnection,
  ): Promise<void> {
    const { job, output } = this;
    const { must, link, follower } = connection;
    const { sessionId } = await connection.openSession();
    const references = await findReferences(text, connection, job.command.cwd);
    const sent = await must("session.send", { sessionId, commandId, text, intent: "prompt", references });
    job.sentSeq = sent.seq;
    if (job.stopping) await job.abort?.();
    const end = await follower.end(link.lost);
    output.end();
    if (end === "aborted") output.note("· stopped");
    job.losses = 0;
  }

  /** Reports a failure, after which the chat continues. What is entered next is not part of the run. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    const { job, output } = this;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      output.note(`gopi-web: ${error.message}`);
    } finally {
      this.#isStopped = job.stopping;
      job.stopping = false;
      job.sentSeq = null;
    }
  }
}
