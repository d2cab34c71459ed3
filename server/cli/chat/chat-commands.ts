/** Runs the commands of `gopi-web chat`. */
import type { CommandId } from "@/lib/events/id";
import { toModelInput } from "@/lib/models/parse-model-name";
import { modes } from "@/lib/permissions/policy";
import { iterateBackward } from "@/lib/view/chunks";
import type { Entry, SessionView } from "@/lib/view/view";
import { randomId } from "@/server/base/id";
import { RunFailure } from "../cli-error-text";
import { fetchWelcome, findNamedModel, modelLists } from "../resolve-model";
import { type JobConnection, leaveSession, type RunJob } from "../run/run-job";
import { type ChatCommand, chatCommands } from "./chat-line";

type Command = (argument: string, job: RunJob, connection: JobConnection) => Promise<void>;

const freshId = (): CommandId => randomId<CommandId>("c");

/** Rejects with RunFailure, LinkLost or the signal's reason. */
export const runChatCommand = (
  name: Exclude<ChatCommand, "exit">,
  argument: string,
  job: RunJob,
  connection: JobConnection,
): Promise<void> => commands[name](argument, job, connection);

const commands: Readonly<Record<Exclude<ChatCommand, "exit">, Command>> = {
  async new(_argument, job, { output }) {
    leaveSession(job);
    output.note("· new session");
  },
  async model(argument, job, { must, output }) {
    if (argument === "") throw usageFailure("model");
    const named = await findNamedModel(modelLists(must), argument, await fetchWelcome(must));
    const { sessionId } = job;
    if (sessionId === null) job.model = argument;
    else await must("session.model", { sessionId, commandId: freshId(), ...toModelInput(named) });
    output.note(`· model: ${argument}`);
  },
  async mode(argument, job, { must, output }) {
    const mode = modes.find((each) => each === argument);
    if (mode === undefined) throw usageFailure("mode");
    const { sessionId } = job;
    if (sessionId === null) job.mode = mode;
    else await must("session.update", { sessionId, commandId: freshId(), mode });
    output.note(`· mode: ${mode}`);
  },
  async compact(argument, job, { must, link, follower, output, openSession }) {
    if (job.sessionId === null) throw new RunFailure("there is nothing to summarize yet");
    const { sessionId } = await openSession();
    const focus = argument === "" ? {} : { focus: argument };
    const { seq } = await must("session.compact", { sessionId, commandId: freshId(), ...focus });
    // The errors after it are shown.
    job.sentSeq = seq;
    output.note("· summarizing");
    const { tokensBefore, tokensAfter } = await follower.until((view) => findEndedCompaction(view, seq), link.lost);
    if (tokensAfter !== undefined) output.note(`· summarized: ${tokensBefore} tokens are now ${tokensAfter}`);
  },
  async title(argument, job, { must, output }) {
    const { sessionId } = job;
    if (argument === "") throw usageFailure("title");
    if (sessionId === null) throw new RunFailure("the session begins with your first message; set its title then");
    await must("session.update", { sessionId, commandId: freshId(), title: argument });
    output.note(`· title: ${argument}`);
  },
  async help(_argument, _job, { output }) {
    const rows = Object.entries(chatCommands).map(([name, { argument, effect }]) => [`/${name} ${argument}`, effect]);
    const others = [
      ["@PATH", "add a file or a folder; Tab completes paths and commands"],
      ["\\", "at the end of a line: the message continues on the next one"],
    ];
    for (const [name = "", effect = ""] of [...rows, ...others]) output.note(`  ${name.padEnd(16)}${effect}`);
  },
};

const usageFailure = (name: ChatCommand): RunFailure =>
  new RunFailure(`use it as /${name} ${chatCommands[name].argument}: ${chatCommands[name].effect}`);

function findEndedCompaction(view: SessionView, seq: number): Extract<Entry, { kind: "compaction" }> | null {
  for (const entry of iterateBackward(view.entries))
    if (entry.kind === "compaction" && entry.seq === seq) return entry.state === "running" ? null : entry;
  return null;
}
