"use client";
/** Makes a commit: the user decides whether the repository's hooks run, and can stop them. */
import { useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { Hash, ProjectId } from "@/lib/events/id";
import type { CommandInput } from "@/lib/protocol/command";
import type { CommitFacts } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { useSourceChange } from "../use-source-change";

interface CommitRequest {
  readonly projectId: ProjectId;
  readonly order: Pick<CommandInput<"source.commit">, "message" | "amend" | "signOff" | "paths">;
  readonly onDone: () => void;
}

/** asking = the user decides whether the hooks run. */
type Phase = "idle" | "asking" | "running";

export function useCommit({ projectId, order, onDone }: CommitRequest) {
  const { commit: text } = useFullMessages();
  const { call, toasts } = useClient();
  const { attempt } = useSourceChange(projectId);
  const [phase, setPhase] = useState<Phase>("idle");
  const [error, setError] = useState<AgentError | null>(null);
  /** The facts that the decision about the hooks is for. */
  const [decided, setDecided] = useState<CommitFacts | null>(null);
  const commit = async (hooks: "run" | "skip", hooksHash?: Hash): Promise<void> => {
    setPhase("running");
    setError(null);
    const hash = hooks === "run" ? { hooksHash } : {};
    const answer = await attempt("source.commit", { projectId, ...order, hooks, ...hash });
    setPhase("idle");
    if (answer.ok) {
      onDone();
      toasts.show({ text: text.done(answer.value.commit.slice(0, shortHashChars)) });
    } else if (answer.error.code !== "aborted") setError(answer.error);
  };
  return {
    phase,
    error,
    hooks: decided?.hooks ?? [],
    async begin(): Promise<void> {
      const facts = await call("source.commit_facts", { projectId });
      if (!facts.ok) return setError(facts.error);
      const { hooks, hooksHash, areHooksApproved } = facts.value;
      if (hooks.length === 0) return commit("skip");
      if (areHooksApproved) return commit("run", hooksHash);
      setDecided(facts.value);
      setPhase("asking");
    },
    answerHooks(answer: "run" | "skip" | null): void {
      if (answer === null) setPhase("idle");
      else void commit(answer, decided?.hooksHash);
    },
    stop: () => void call("source.stop", { projectId }),
  };
}

/** Characters of a commit's name in a notice. */
const shortHashChars = 8;
