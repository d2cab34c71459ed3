"use client";
/** Commands that change APIs: everything about them is queried again, a failure is shown as a toast. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { apiPartMaxChars } from "@/lib/protocol/openapi-commands";
import type { CommandInput, CommandOutput } from "@/lib/protocol/command";
import type { Result } from "@/lib/events/error";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { randomText } from "../../state/new-id";
import { apiErrorText, apiReloadErrorText } from "./api-error-text";

type ChangeApiCommand =
  `openapi.${"add" | "reload" | "confirm" | "enable" | "remove" | "set_key" | "set_tool" | "accept"}`;

/** Resolves with the answer. */
export function useCallApis() {
  const { call } = useClient();
  const cache = useQueryClient();
  return useCallback(
    async <N extends ChangeApiCommand>(name: N, input: CommandInput<N>): Promise<Result<CommandOutput<N>>> => {
      const answer = await call(name, input);
      await invalidateCommands(cache, ["openapi."]);
      return answer;
    },
    [call, cache],
  );
}

/** Resolves with the value, or with undefined after a failure was shown. */
export function useChangeApis() {
  const messages = useFullMessages();
  const { toasts } = useClient();
  const callApis = useCallApis();
  return useCallback(
    async <N extends ChangeApiCommand>(name: N, input: CommandInput<N>): Promise<CommandOutput<N> | undefined> => {
      const answer = await callApis(name, input);
      if (answer.ok) return answer.value;
      const errorText = name === "openapi.reload" ? apiReloadErrorText : apiErrorText;
      toasts.show({ text: errorText(answer.error, messages), look: "danger" });
      return undefined;
    },
    [callApis, toasts, messages],
  );
}

/** Returns a function that sends a text in parts; resolves with the id of the upload. */
export function useUploadText() {
  const { call } = useClient();
  return useCallback(
    async (text: string): Promise<Result<string>> => {
      const upload = randomText();
      for (let part = 0; part === 0 || part * apiPartMaxChars < text.length; part += 1) {
        const piece = text.slice(part * apiPartMaxChars, (part + 1) * apiPartMaxChars);
        const sent = await call("openapi.upload", { upload, part, text: piece });
        if (!sent.ok) return sent;
      }
      return { ok: true, value: upload };
    },
    [call],
  );
}
