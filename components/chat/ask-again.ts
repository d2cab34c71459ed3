"use client";
/** Repeats the request of a run, with the same model or another. */
import { useWords } from "@/components/words/words";
import { connectionName } from "@/components/words/connection-name";
import { imagesOf, textOf } from "@/lib/content";
import type { MessageEntry } from "@/lib/view";
import { type OtherModel, useConversationActions, useConversationFacts } from "./actions";

export interface AskAgain {
  /** `other` = switches the session to this model. */
  readonly ask: (other?: OtherModel) => void;
  /** Models other than the session's current one; `place` = display name of the connection. */
  readonly others: readonly (OtherModel & { readonly place?: string })[];
}

/** Returns null for a viewer, and if there is no user message to repeat. */
export function useAskAgain(request: MessageEntry | undefined): AskAgain | null {
  const words = useWords();
  const { branch } = useConversationActions();
  const { model, server, isOllama, connections } = useConversationFacts();
  const { from } = request ?? {};
  if (request === undefined || from === undefined || branch === null) return null;
  const text = textOf(request.blocks.flatMap((block) => (block.type === "input" ? [] : [block])));
  const installed = (server?.models ?? [])
    .filter(({ capabilities }) => capabilities.length === 0 || capabilities.includes("completion"))
    .filter(({ name }) => !isOllama || name !== model?.model);
  const elsewhere = connections.filter(
    (one) => one.model !== "" && (isOllama || one.id !== model?.provider || one.model !== model.model),
  );
  return {
    ask: (other) => void branch.resend(from, { text, images: imagesOf(request.blocks) }, other),
    others: [
      ...installed.map(({ name }) => ({ model: name })),
      ...elsewhere.map((one) => ({ model: one.model, connection: one.id, place: connectionName(one, words) })),
    ],
  };
}
