/** Pins a file to the context of a session, or unpins it; reports to the user why it was not pinned. */
import { type AgentError, anyFacts } from "@/lib/events/error";
import type { SessionId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import type { FullMessages } from "../../messages/full-messages";
import { loadLateMessages } from "../../messages/full-messages";
import type { Messages } from "../../messages/messages";
import type { AppClient } from "../../state/client";
import { newCommandId } from "../../state/new-id";
import { type NewSessionPlace, readDraftPins, writeDraftPins } from "./draft-pins";

interface PinContext {
  readonly client: AppClient;
  readonly messages: Messages;
}

/** `path` relative to the project; "" = no file is chosen. False = refused. */
export async function pinFile(
  { sessionId, ...context }: PinContext & { readonly sessionId: SessionId },
  path: string,
  isPinned: boolean,
): Promise<boolean> {
  if (path === "") return refuse(context, path, null);
  const input = { sessionId, commandId: newCommandId(), path, pinned: isPinned };
  const answer = await context.client.call("session.pin", input);
  return answer.ok || refuse(context, path, answer.error);
}

/** The same for the session that the first message creates. */
export async function pinDraftFile(
  { place, ...context }: PinContext & { readonly place: NewSessionPlace },
  path: string,
  isPinned: boolean,
): Promise<boolean> {
  const { projectId } = place;
  if (path === "") return refuse(context, path, null);
  const without = (label: string): readonly string[] => readDraftPins(projectId).filter((pin) => pin !== label);
  if (!isPinned) {
    writeDraftPins(projectId, without(path));
    return true;
  }
  const answer = await context.client.call("session.preview_pins", { ...place, paths: [path] });
  if (!answer.ok) return refuse(context, path, answer.error);
  const [file] = answer.value.files;
  if (file?.state === "unreadable") return refuse(context, path, file.error);
  const label = file?.path ?? path;
  const others = without(label);
  if (others.length >= limits.pinnedFiles)
    return refuse(context, path, { code: "too_many", facts: { limit: limits.pinnedFiles } });
  writeDraftPins(projectId, [...others, label]);
  return true;
}

/** Shows why the file is not pinned; `error` null = no file is chosen. */
async function refuse({ client, messages }: PinContext, path: string, error: AgentError | null): Promise<false> {
  const late = await loadLateMessages(messages.figures.locale);
  if (error === null) client.toasts.show({ text: late.pins.noFile });
  else client.toasts.show({ text: refusalText({ ...messages, ...late }, path, error), look: "danger" });
  return false;
}

function refusalText({ pins, errors, figures }: FullMessages, path: string, error: AgentError): string {
  const { tokens, maxTokens } = anyFacts(error);
  return tokens === undefined || maxTokens === undefined
    ? pins.notPinned(path, errors.sentences[error.code])
    : pins.tooLarge(path, figures.tokens(tokens), figures.tokens(maxTokens));
}
