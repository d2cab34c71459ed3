/** Commands by which the model writes the message of a commit, when the user requests it. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { CommandInput } from "@/lib/protocol/command";
import type { ModelState } from "@/lib/view/view";
import type { SideAnswer } from "@/server/agent/side/read-side-answer";
import { requestAlone } from "@/server/agent/side/request-alone";
import type { SideRequest } from "@/server/agent/side/request-beside";
import type { HandlerTable } from "@/server/handlers/handlers";
import { ownerEntryPath } from "@/server/security/paths/safe-path";
import { mayModelRead } from "@/server/workspace/files/read-reference";
import { type MessageChanges, readMessageChanges } from "@/server/workspace/git/commit/message-changes";
import { openProjectGit } from "@/server/workspace/git/project-git";
import type { FeatureHost } from "../../feature";
import { cleanCommitMessage } from "./clean-message";
import { composeMessageAsk } from "./compose-ask";

export type MessageHost = Pick<FeatureHost, "projects" | "environment" | "sessions" | "services" | "access">;

type MessageInput = CommandInput<"source.write_message">;

const answerTokens = 400;
const thinkingTokens = 1_024;

export function messageCommands(host: MessageHost, shutdown: AbortSignal) {
  const running = new Map<ProjectId, AbortController>();
  return {
    async "source.write_message"(input, client) {
      if (running.has(input.projectId)) return fail("busy");
      const controller = new AbortController();
      running.set(input.projectId, controller);
      const ends = [shutdown, controller.signal, ...(client.disconnected === undefined ? [] : [client.disconnected])];
      try {
        return await writeMessage(host, input, AbortSignal.any(ends));
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
  signal: AbortSignal,
): Promise<Result<{ readonly message: string | null }>> {
  const changes = await readChanges(host, input, signal);
  if (!changes.ok) return changes;
  const { files, hidden } = changes.value;
  if (files.length === 0) return fail(hidden === 0 ? "no_changes" : "protected");
  const side: SideRequest = {
    ask: (maxTokens, scale) => composeMessageAsk(changes.value, maxTokens, scale),
    ...{ answerTokens, thinkingTokens },
  };
  const answer = await requestMessage(host, input, side, signal);
  if (answer === null) return ok({ message: null });
  if (!answer.ok) return answer;
  const message = cleanCommitMessage(answer.value.text);
  return message === null ? fail("empty_answer") : ok({ message });
}

async function readChanges(
  { projects, environment }: MessageHost,
  { projectId, scope, paths }: MessageInput,
  signal: AbortSignal,
): Promise<Result<MessageChanges>> {
  const project = await projects.get(projectId);
  if (!project.ok) return project;
  for (const path of paths ?? []) {
    const checked = ownerEntryPath(path, project.value.policy());
    if (!checked.ok) return checked;
  }
  const git = await openProjectGit(project.value, environment, signal);
  if (!git.ok) return git;
  if (typeof git.value === "string") return fail(git.value === "untrusted" ? "untrusted" : "not_found", git.value);
  return readMessageChanges(git.value, { scope, paths, mayRead: (path) => mayModelRead(project.value, path) });
}

/** Continues the session where its server holds it, and else asks the model alone; null = that needs the user's yes. */
async function requestMessage(
  host: MessageHost,
  { projectId, sessionId, mayReplace = false }: MessageInput,
  side: SideRequest,
  signal: AbortSignal,
): Promise<Result<SideAnswer> | null> {
  let model: Omit<ModelState, "prompt"> | null = null;
  if (sessionId !== undefined) {
    const beside = await continueSession(host, { projectId, sessionId }, side, signal);
    if (beside.answer !== null) return beside.answer;
    ({ model } = beside);
  }
  if (model === null) await host.access.ensureListed();
  model ??= host.services.chooseModel({ name: "", projectId })?.change ?? null;
  if (model === null) return { ok: false, error: host.services.noModelError({ name: "" }) ?? { code: "no_model" } };
  return requestAlone(host.services, model, { ...side, mayReplace }, signal);
}

interface Continued {
  /** null = its server does not hold it. */
  readonly answer: Result<SideAnswer> | null;
  /** The session's; null = it has none yet. */
  readonly model: ModelState | null;
}

async function continueSession(
  { sessions }: MessageHost,
  { projectId, sessionId }: { readonly projectId: ProjectId; readonly sessionId: SessionId },
  side: SideRequest,
  signal: AbortSignal,
): Promise<Continued> {
  const continued = await sessions.change(sessionId, async (session): Promise<Result<Continued>> => {
    const { model } = session.view;
    if (session.view.projectId !== projectId || model === null) return ok({ answer: null, model: null });
    if (!session.idle) return ok({ answer: fail("busy"), model });
    return ok({ answer: await session.requestBeside(side, signal), model });
  });
  // A session that is gone has no conversation to continue.
  return continued.ok ? continued.value : { answer: null, model: null };
}
