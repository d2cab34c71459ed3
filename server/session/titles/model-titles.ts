/**
 * Titles that the model writes: after the first answered run of a session in the browser, where the setting is on, nothing
 * else runs and the user has not named the session. A failure leaves the first line of the message.
 */
import type { CommandId, SessionId } from "@/lib/events/id";
import { type MessageEntry, pathEntries, type SessionView } from "@/lib/view/view";
import { pause, timeLimit } from "@/server/base/abort";
import { randomId } from "@/server/base/id";
import { promptTitle } from "../core/prompt-title";
import type { SessionServices } from "../core/services";
import type { Registry } from "../loading/registry";
import { titleRequest } from "./title-request";
import { cleanModelTitle } from "./clean-model-title";

/** Delay after the run, in which the next message of the user may begin, ms. */
const afterRunMs = 1_000;
/** Time limit of a request, ms. */
const requestMaxMs = 20_000;

interface ModelTitlesOptions {
  readonly services: Pick<SessionServices, "settings" | "store" | "unattendedTerms" | "reportBug">;
  /** Default: a second. */
  readonly delayMs?: number | undefined;
}

/** Returns the registry with titles for its sessions; closing it ends their requests. */
export function withModelTitles(registry: Registry, { services, delayMs = afterRunMs }: ModelTitlesOptions): Registry {
  const { settings, store, unattendedTerms, reportBug } = services;
  let current = new AbortController();
  const stop = (): void => current.abort();
  const readPrompt = (id: SessionId, view: SessionView): string | null =>
    promptToTitle(view, {
      isUnattended: unattendedTerms(id) !== null,
      isDeleted: store.sessions.get(id)?.deletedAt !== undefined,
      running: registry.running().map((session) => session.view),
    });

  async function writeTitle(id: SessionId, signal: AbortSignal): Promise<void> {
    if (!settings().modelTitles || !(await pause(delayMs, signal))) return;
    const session = registry.get(id);
    const prompt = session === undefined ? null : readPrompt(id, session.view);
    if (session === undefined || prompt === null) return;
    const answer = await session.requestBeside(titleRequest, timeLimit(requestMaxMs, signal));
    const title = answer?.ok === true && !answer.value.isCut ? cleanModelTitle(answer.value.text, prompt) : null;
    // The user may have named or deleted the session meanwhile.
    if (title === null || signal.aborted || readPrompt(id, session.view) === null) return;
    session.update({ title }, randomId<CommandId>("k"));
  }

  registry.subscribe(({ sessionId, event }) => {
    if (event.type === "agent_start" || event.type === "compaction_start") stop();
    if (event.type !== "agent_end" || event.reason !== "done") return;
    stop();
    current = new AbortController();
    writeTitle(sessionId, current.signal).catch((error: unknown) => reportBug("titles", error));
  });
  return {
    ...registry,
    close() {
      stop();
      return registry.close();
    },
  };
}

interface SessionUse {
  readonly isUnattended: boolean;
  readonly isDeleted: boolean;
  /** The sessions that run or wait for an approval. */
  readonly running: readonly Pick<SessionView, "model">[];
}

/**
 * Returns the message for which the session may get a title: its first one, sent in the browser and answered once, whose
 * first line is still the title; null = it may get none now.
 */
export function promptToTitle(view: SessionView, { isUnattended, isDeleted, running }: SessionUse): string | null {
  if (isUnattended || isDeleted || view.parent !== undefined || view.queue.length > 0) return null;
  if (running.some(({ model }) => model?.provider === view.model?.provider)) return null;
  const entries = pathEntries(view);
  const first = entries.find((entry) => entry.kind === "message" && entry.role === "user");
  const answered = entries.filter((entry) => entry.kind === "run_end" && entry.reason === "done").length;
  if (first?.kind !== "message" || first.origin !== undefined || answered !== 1) return null;
  const text = messageText(first);
  return text !== "" && view.title === promptTitle(text) ? text : null;
}

const messageText = ({ blocks }: MessageEntry): string =>
  blocks
    .map((block) => (block.type === "text" ? block.text : ""))
    .join("\n")
    .trim();
