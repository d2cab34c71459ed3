"use client";
/** Repeats the request of a run, with the same model or another. */
import { useMessages } from "../../messages/messages";
import { connectionDisplayName } from "../../messages/connection-name";
import { joinTextBlocks } from "@/lib/events/content";
import type { MessageEntry } from "@/lib/view/view";
import { type ModelTarget, useConversationActions, useConversationFacts } from "../actions";
import { resentAttachments } from "../message/resent-attachments";

interface ResendOptions {
  /** `other` = switches the session to this model. */
  readonly resend: (other?: ModelTarget) => void;
  /** Models other than the session's current one; `serverName` = display name of the connection. */
  readonly otherModels: readonly (ModelTarget & { readonly serverName?: string })[];
}

/** Returns null for a viewer, and if there is no user message to repeat. */
export function useResend(request: MessageEntry | undefined): ResendOptions | null {
  const messages = useMessages();
  const { branchControls } = useConversationActions();
  const { model, server, isOllama, connections } = useConversationFacts();
  const { from } = request ?? {};
  if (request === undefined || from === undefined || branchControls === null) return null;
  const text = joinTextBlocks(request.blocks.flatMap((block) => (block.type === "input" ? [] : [block])));
  const installed = (server?.models ?? [])
    .filter(({ capabilities }) => capabilities.length === 0 || capabilities.includes("completion"))
    .filter(({ name }) => !isOllama || name !== model?.model);
  const elsewhere = connections.filter(
    (one) => one.model !== "" && (isOllama || one.id !== model?.provider || one.model !== model.model),
  );
  return {
    resend: (other) => void branchControls.resend(from, { text, ...resentAttachments(request) }, other),
    otherModels: [
      ...installed.map(({ name }) => ({ model: name })),
      ...elsewhere.map((one) => ({
        model: one.model,
        connection: one.id,
        place: connectionDisplayName(one, messages),
      })),
    ],
  };
}
