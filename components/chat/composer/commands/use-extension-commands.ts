"use client";
/**
 * Slash commands of extensions: the names that complete the text, and what sends a complete one: its text replaces it in
 * the field, and is not sent.
 */
import { useEffect, useRef, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { isAnswered, useCommandQuery } from "../../../state/use-command-query";
import type { OfferRow } from "../menus/offer-menu";
import { completeCommand, parseCommand } from "./match-command";

interface CommandText {
  readonly projectId: ProjectId;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The text is, or begins, a command of the program: Enter is not for a command of an extension. */
  readonly hasOwn: boolean;
}

interface ExtensionCommands {
  readonly isKnown: boolean;
  readonly rows: readonly OfferRow[];
  /** The name of the command that runs; null = none. */
  readonly running: string | null;
  readonly stop: () => void;
  /** Replaces the text, which is a command, by the command's text; null = it is none. */
  readonly expandTyped: (() => void) | null;
}

export function useExtensionCommands({ projectId, text, onText, hasOwn }: CommandText): ExtensionCommands {
  const offered = useCommandQuery(
    "extensions.commands",
    { projectId },
    { staleTime: 10_000, select: ({ commands }) => commands },
  );
  const { data = [] } = offered;
  const { running, expand, stop } = useExpandCommand(projectId, text, onText);
  const typed = parseCommand(text, hasOwn ? [] : data);
  return {
    isKnown: isAnswered(offered),
    rows: completeCommand(text, data, hasOwn).map(({ name, description }) => ({
      key: `extension ${name}`,
      name: `/${name}`,
      detail: description,
      pick: () => onText(`/${name} `),
    })),
    running,
    stop,
    expandTyped: typed && (() => running === null && expand(typed)),
  };
}

function useExpandCommand(projectId: ProjectId, text: string, onText: (text: string) => void) {
  const { extensions: messages, errors } = useFullMessages();
  const { call, toasts } = useClient();
  const [running, setRunning] = useState<string | null>(null);
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  }, [text]);
  const expand = async ({ name, input }: { readonly name: string; readonly input: string }): Promise<void> => {
    const before = latest.current;
    setRunning(name);
    const answer = await call("extensions.expand", { projectId, name, arguments: input });
    setRunning(null);
    if (answer.ok) {
      // Text typed meanwhile is not replaced.
      if (latest.current === before) onText(answer.value.text);
      return;
    }
    const { code, detail } = answer.error;
    const reason = detail ?? (code === "changed_meanwhile" ? messages.changedMeanwhile : errors.sentences[code]);
    const failed = `${messages.expandFailed(name)}: ${reason}`;
    toasts.show({ text: code === "aborted" ? messages.expandStopped(name) : failed, look: "danger" });
  };
  return {
    running,
    expand: (command: Parameters<typeof expand>[0]) => void expand(command),
    stop: () => void call("extensions.stop", { projectId }),
  };
}
