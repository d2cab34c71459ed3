"use client";
/** Commands that change the settings of the web: the answer replaces the cached state, a failure is shown as a toast. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { CommandInput } from "@/lib/protocol/command";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { commandQuery } from "../../state/command-query";

/** Resolves with whether the change was stored. */
export type ChangeWeb = <N extends "web.set" | "web.set_key">(name: N, input: CommandInput<N>) => Promise<boolean>;

export function useChangeWeb(): ChangeWeb {
  const { web, errors } = useFullMessages();
  const { call, toasts } = useClient();
  const cache = useQueryClient();
  return useCallback(
    async (name, input) => {
      const answer = await call(name, input);
      if (!answer.ok) {
        const { code } = answer.error;
        toasts.show({ text: code === "bad_input" ? web.badAddress : errors.sentences[code], look: "danger" });
        return false;
      }
      const { queryKey } = commandQuery("web.state", {});
      // An answer that is on its way is older.
      await cache.cancelQueries({ queryKey });
      cache.setQueryData(queryKey, answer.value);
      return true;
    },
    [call, toasts, cache, web, errors],
  );
}
