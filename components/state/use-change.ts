"use client";
/** Commands that change something: while one runs its control is busy, and its error is shown beside the control or as a toast. */
import { useCallback, useRef, useState } from "react";
import type { AgentError, ErrorCode } from "@/lib/events/error";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import { type FullMessages, useFullMessages } from "../messages/full-messages";
import { useClient } from "./client";
import { performCommand } from "./command-answers";

/** Sentences that replace the general one of their code, or all sentences. */
type ToastText = { readonly [code in ErrorCode]?: string } | ((error: AgentError, messages: FullMessages) => string);

interface Change {
  readonly isBusy: boolean;
  /** Error of the last command, `inline`; null = it succeeded, or there was none. */
  readonly error: AgentError | null;
  /** Resolves with the answer, once the queries have what changed; undefined = it failed, which is shown. */
  readonly perform: <N extends CommandName>(name: N, input: CommandInput<N>) => Promise<CommandOutput<N> | undefined>;
}

const noSentences = {};

/** `inline`: the component shows `error`. */
export function useChange(place: "inline" | "toast", text: ToastText = noSentences): Change {
  const messages = useFullMessages();
  const client = useClient();
  const [state, setState] = useState<Pick<Change, "isBusy" | "error">>({ isBusy: false, error: null });
  const perform = useCallback<Change["perform"]>(
    async (name, input) => {
      setState({ isBusy: true, error: null });
      const answer = await performCommand(client, name, input);
      setState({ isBusy: false, error: answer.ok || place === "toast" ? null : answer.error });
      if (answer.ok) return answer.value;
      if (place === "toast") client.toasts.show({ text: toastText(answer.error, text, messages), look: "danger" });
      return undefined;
    },
    [client, place, text, messages],
  );
  return { ...state, perform };
}

/**
 * Changes of a stored list: each begins with `list`, which is what the newest change writes until that is answered. `save` resolves
 * when its change is answered.
 */
export function useListChange<T>(
  stored: readonly T[],
  save: (next: T[]) => Promise<unknown>,
): { readonly list: readonly T[]; readonly change: (edit: (list: readonly T[]) => T[]) => Promise<void> } {
  const newest = useRef<readonly T[] | null>(null);
  const [pending, setPending] = useState<readonly T[] | null>(null);
  const setNewest = (list: readonly T[] | null): void => {
    newest.current = list;
    setPending(list);
  };
  const change = async (edit: (list: readonly T[]) => T[]): Promise<void> => {
    const next = edit(newest.current ?? stored);
    setNewest(next);
    await save(next);
    if (newest.current === next) setNewest(null);
  };
  return { list: pending ?? stored, change };
}

const toastText = (error: AgentError, text: ToastText, messages: FullMessages): string =>
  typeof text === "function" ? text(error, messages) : (text[error.code] ?? messages.errors.sentences[error.code]);
