"use client";
/** Lets the model write the message of a commit when the user requests it. */
import { useEffect, useRef, useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { CommandInput } from "@/lib/protocol/command";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { useServerState } from "../../../state/use-server-state";

interface MessageWriterInput {
  readonly projectId: ProjectId;
  /** The changes that the message is for. */
  readonly target: Pick<CommandInput<"source.write_message">, "scope" | "paths">;
  readonly message: string;
  readonly onMessage: (message: string) => void;
}

export interface MessageWriter {
  /** There is a model that could write. */
  readonly isAvailable: boolean;
  /** asking = the server would lose a conversation that it holds. */
  readonly phase: "idle" | "writing" | "asking";
  readonly error: AgentError | null;
  readonly write: (mayReplace?: boolean) => Promise<void>;
  readonly stop: () => void;
  readonly dismiss: () => void;
}

export function useMessageWriter({ projectId, target, message, onMessage }: MessageWriterInput): MessageWriter {
  const { commit: text, files } = useFullMessages();
  const { call, toasts } = useClient();
  const isAvailable = useHasModel();
  const [phase, setPhase] = useState<MessageWriter["phase"]>("idle");
  const [error, setError] = useState<AgentError | null>(null);
  const current = useRef(message);
  useEffect(() => {
    current.current = message;
  }, [message]);
  const write = async (mayReplace = false): Promise<void> => {
    setPhase("writing");
    setError(null);
    const answer = await call("source.write_message", { projectId, ...target, ...(mayReplace ? { mayReplace } : {}) });
    setPhase(answer.ok && answer.value.message === null ? "asking" : "idle");
    if (!answer.ok && answer.error.code !== "aborted") setError(answer.error);
    if (!answer.ok || answer.value.message === null) return;
    const before = current.current;
    onMessage(answer.value.message);
    if (before.trim() === "" || before === answer.value.message) return;
    toasts.show({ text: text.written, action: { label: files.undo, onSelect: () => onMessage(before) } });
  };
  return {
    ...{ isAvailable, phase, error, write },
    stop: () => void call("source.stop_message", { projectId }),
    dismiss: () => setPhase("idle"),
  };
}

function useHasModel(): boolean {
  const server = useServerState("models");
  const connections = useServerState("connections") ?? [];
  return connections.length > 0 || (server?.status === "ready" && server.models.length > 0);
}
