"use client";
/**
 * Commands that change the repository: everything about it is read again after each, also after one that failed, and its error is shown
 * with what helps.
 */
import { useMemo, useState } from "react";
import type { AgentError, Result } from "@/lib/events/error";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import type { CommandFamily } from "@/lib/protocol/command-family";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { type AppClient, useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { runInTerminal } from "./run-in-terminal";

/** An action that helps with an error. */
interface ErrorRemedy {
  readonly label: string;
  readonly onSelect: () => void;
}

export interface SourceChanger {
  /** Resolves with the answer; undefined = it failed, which a notice says. */
  readonly perform: <N extends CommandName>(name: N, input: CommandInput<N>) => Promise<CommandOutput<N> | undefined>;
  /** Resolves with the answer, whose error the caller shows. */
  readonly attempt: <N extends CommandName>(name: N, input: CommandInput<N>) => Promise<Result<CommandOutput<N>>>;
  /** Runs a line in a terminal of its own; an error is said by a notice. */
  readonly runLine: (run: { readonly name: string; readonly line: string }) => Promise<void>;
  readonly showError: (error: AgentError) => void;
  readonly remedyOf: (error: AgentError) => ErrorRemedy | undefined;
}

/** Queries that a change of the repository makes out of date. */
const outdated: readonly CommandFamily[] = ["source.", "worktree.", "project.marks", "project.open"];
/** A lock of this age may have been left by a killed git, s. */
const staleLockSeconds = 60;
/** Git's own text about a failure that has no code. */
const maxReasonChars = 400;

export function useSourceChange(projectId: ProjectId): SourceChanger & { readonly isBusy: boolean } {
  const client = useClient();
  const messages = useFullMessages();
  const [isBusy, setBusy] = useState(false);
  const change = useMemo(
    () => makeSourceChange(client, projectId, messages, setBusy),
    [client, projectId, messages, setBusy],
  );
  return { ...change, isBusy };
}

function makeSourceChange(
  client: AppClient,
  projectId: ProjectId,
  { errors, source }: FullMessages,
  setBusy: (isBusy: boolean) => void,
): SourceChanger {
  const { call, cache, toasts } = client;
  const refresh = (): Promise<void> => invalidateCommands(cache, outdated, { projectId });
  const attempt: SourceChanger["attempt"] = async (name, input) => {
    setBusy(true);
    const answer = await call(name, input);
    setBusy(false);
    await refresh();
    return answer;
  };
  const perform: SourceChanger["perform"] = async (name, input) => {
    const answer = await attempt(name, input);
    if (answer.ok) return answer.value;
    showError(answer.error);
    return undefined;
  };
  const removeLock = async (): Promise<void> => {
    if ((await perform("source.remove_lock", { projectId })) !== undefined) toasts.show({ text: source.lockRemoved });
  };
  const remedyOf: SourceChanger["remedyOf"] = (error) => {
    if (error.code === "git_locked" && (error.facts?.seconds ?? 0) >= staleLockSeconds)
      return { label: source.removeLock, onSelect: () => void removeLock() };
    const run = error.code === "busy" ? error.facts?.sessionId : undefined;
    if (run === undefined) return undefined;
    const sessionId = asId<SessionId>(run);
    return { label: source.stopRun, onSelect: () => void perform("session.abort", { sessionId }) };
  };
  const showError = (error: AgentError): void => {
    const reason = error.code === "tool_failed" ? ` ${error.detail ?? ""}`.slice(0, maxReasonChars) : "";
    const text = `${errors.sentences[error.code]}${reason}`.trimEnd();
    toasts.show({ text, look: "danger", action: remedyOf(error) });
  };
  const runLine: SourceChanger["runLine"] = async ({ name, line }) => {
    const opened = await runInTerminal(client, projectId, { name, line }, () => void refresh());
    if (!opened.ok) showError(opened.error);
  };
  return { perform, attempt, runLine, showError, remedyOf };
}
