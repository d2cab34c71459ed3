/** Does what the lines of a script request, in one session. */
import type { AgentError } from "@/lib/events/error";
import type { CommandId, SessionId } from "@/lib/events/id";
import { randomId } from "@/server/base/id";
import { UsageError } from "../arguments/options";
import { cliErrorText } from "../cli-error-text";
import type { SessionLink } from "../session-link";
import { type JobConnection, type RunJob, runExitCode } from "./run-job";
import type { ScriptInput } from "./script-input";
import type { ScriptError, ScriptRequest } from "./script-line";

const intents = { prompt: "prompt", steer: "steer", follow_up: "followUp" } as const;

/**
 * Work of a job whose input has any number of requests: the exit code of the last run. `prompt` is sent before them; null =
 * none. `report` gets the lines that have no effect.
 */
export function followScript(
  job: RunJob,
  input: ScriptInput,
  prompt: string | null,
  report: (line: number, error: ScriptError) => void,
): (connection: JobConnection) => Promise<number> {
  let first = prompt;
  // A request that is repeated after a lost connection has the same id.
  let commandId = randomId<CommandId>("c");
  return async ({ link, follower, openSession }) => {
    if (job.sentSeq !== null) await openSession();
    for (;;) {
      const initial: ScriptRequest | null = first === null ? null : { type: "prompt", text: first };
      const line = initial === null ? await input.current(link.lost) : { number: 0, content: initial };
      if (line === null) break;
      if ("code" in line.content) report(line.number, line.content);
      else {
        const { sessionId } = await openSession();
        const error = await request(job, link, { sessionId, commandId }, line.content);
        if (error !== null) report(line.number, { code: error.code, message: cliErrorText(error) });
      }
      if (initial === null) input.next();
      first = null;
      commandId = randomId<CommandId>("c");
    }
    if (job.sentSeq === null) throw new UsageError('No line had a prompt: {"type":"prompt","text":"fix the tests"}');
    const end = await follower.end(link.lost);
    return runExitCode(job, job.stopping ? "aborted" : end);
  };
}

/** Sends the command of a request. Returns why it had no effect. Rejects with LinkLost or the signal's reason. */
async function request(
  job: RunJob,
  link: SessionLink,
  ids: { readonly sessionId: SessionId; readonly commandId: CommandId },
  content: ScriptRequest,
): Promise<AgentError | null> {
  const { sessionId } = ids;
  if (content.type === "abort") {
    const aborted = await link.call("session.abort", { sessionId });
    return aborted.ok ? null : aborted.error;
  }
  if (content.type === "answer") {
    const { type: _type, ...answer } = content;
    const answered = await link.call("session.answer", { sessionId, ...answer });
    if (!answered.ok) return answered.error;
    return answered.value.won ? null : { code: "gone", detail: "no request with this approvalId waits for an answer" };
  }
  const sent = await link.call("session.send", { ...ids, text: content.text, intent: intents[content.type] });
  if (!sent.ok) return sent.error;
  job.sentSeq = sent.value.seq;
  return null;
}
