/** Commands by which the model writes the message of a commit, when the user requests it. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { CommandInput } from "@/lib/protocol/command";
import type { ModelState } from "@/lib/view/view";
import type { SideAnswer } from "@/server/agent/side/read-side-answer";
import { requestAlone } from "@/server/agent/side/request-alone";
import type { SideRequest } from "@/server/agent/side/request-beside";
import type { HandlerTable } from "@/server/handlers/handlers";
import { mayModelRead } from "@/server/workspace/files/read-reference";
import { type MessageChanges, readMessageChanges } from "@/server/workspace/git/commit/message-changes";
import type { Git } from "@/server/workspace/git/git";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { FeatureHost } from "../../feature";
import { cleanCommitMessage } from "./clean-message";
import { composeMessageAsk } from "./compose-ask";

export type MessageHost = Pick<FeatureHost, "sessions" | "services" | "access">;

/** Runs `work` with git in a project of which the paths are. Fails with untrusted, not_found, the codes of a path, and like `work`. */
type GitReader = <T>(
  projectId: ProjectId,
  work: (git: Git, project: OpenProject) => Promise<Result<T>>,
  paths: readonly string[],
) => Promise<Result<T>>;

type MessageInput = CommandInput<"source.write_message">;

const answerTokens = 400;
const thinkingTokens = 1_024;

export function messageCommands(host: MessageHost, read: GitReader, shutdown: AbortSignal) {
  const running = new Map<ProjectId, AbortController>();
  return {
    async "source.write_message"(input, client) {
      if (running.has(input.projectId)) return fail("busy");
      const controller = new AbortController();
      running.set(input.projectId, controller);
      const ends = [shutdown, controller.signal, ...(client.disconnected === undefined ? [] : [client.disconnected])];
      try {
        const { projectId, scope, paths } = input;
        const changes = await read(
          projectId,
          (git, project) => readMessageChanges(git, { scope, paths, mayRead: (path) => mayModelRead(project, path) }),
          paths ?? [],
        );
        return changes.ok ? await writeMessage(host, input, changes.value, AbortSignal.any(ends)) : changes;
      } finally {
        running.delete(input.projectId);
      }
    },
    "source.stop_message"({ projectId }) {
      running.get(projectId)?.abort();
      return ok(null);
    },
  } satisfies Partial<HandlerTable>;
}

async function writeMessage(
  host: MessageHost,
  input: MessageInput,
  changes: MessageChanges,
  signal: AbortSignal,
): Promise<Result<{ readonly message: string | null }>> {
  const { files, hidden } = changes;
  if (files.length === 0) return fail(hidden === 0 ? "no_changes" : "protected");
  const side: SideRequest = {
    ask: (maxTokens, scale) => composeMessageAsk(changes, maxTokens, scale),
    ...{ answerTokens, thinkingTokens },
  };
  const answer = await requestMessage(host, input, side, signal);
  if (answer === null) return ok({ message: null });
  if (!answer.ok) return answer;
  const message = cleanCommitMessage(answer.value.text);
  return message === null ? fail("empty_answer") : ok({ message });
}

/** Continues the newest session of the project where its server holds it, and else asks the model alone; null = that needs a yes. */
async function requestMessage(
  host: MessageHost,
  { projectId, mayReplace = false }: MessageInput,
  side: SideRequest,
  signal: AbortSignal,
): Promise<Result<SideAnswer> | null> {
  const newest = await continueNewest(host, projectId, side, signal);
  if (newest.answer !== null) return newest.answer;
  if (newest.model === null) await host.access.ensureListed();
  const model = newest.model ?? host.services.chooseModel({ name: "", projectId })?.change;
  if (model === undefined)
    return { ok: false, error: host.services.noModelError({ name: "" }) ?? { code: "no_model" } };
  return requestAlone(host.services, model, { ...side, mayReplace }, signal);
}

interface Continued {
  /** null = its server does not hold it. */
  readonly answer: Result<SideAnswer> | null;
  /** The session's; null = it has none yet. */
  readonly model: ModelState | null;
}

async function continueNewest(
  { sessions }: MessageHost,
  projectId: ProjectId,
  side: SideRequest,
  signal: AbortSignal,
): Promise<Continued> {
  const none = { answer: null, model: null };
  const [row] = sessions.list({ projectId }).rows;
  if (row === undefined) return none;
  const continued = await sessions.change(row.id, async (session): Promise<Result<Continued>> => {
    const { model } = session.view;
    if (model === null) return ok(none);
    return ok({ answer: session.idle ? await session.requestBeside(side, signal) : fail("busy"), model });
  });
  return continued.ok ? continued.value : none;
}
