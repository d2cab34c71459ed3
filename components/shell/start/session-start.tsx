"use client";
/** Content of a conversation before its first message, for a new session and for one without messages. */
import { skipToken, useInfiniteQuery } from "@tanstack/react-query";
import { tourConnectionId } from "@/lib/models/tour";
import type { ProjectId } from "@/lib/events/id";
import type { ProjectFacts } from "@/lib/protocol/answers";
import { type ConcreteStarters, EmptyConversation } from "../../chat/start/empty-conversation";
import { type Messages, useMessages } from "../../messages/messages";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { queries } from "../../state/queries";
import { mergeRows } from "../../state/session/session-lists";
import type { ModelSelection } from "./model-selection";
import { navigate } from "../navigation/router";
import { StartState } from "./start-state";
import { currentPath } from "../../state/base-path";

interface SessionStartProps {
  readonly projectId: ProjectId;
  readonly choice: ModelSelection;
  readonly onStarter: (text: string) => void;
}

const allSessions = {};
/** Starters that the tour has answers for. */
const tourStarters = ["tests"] as const;

/** Returns the words of starters about which something is known; the general question gives way to the TODOs. Pure. */
function concreteStarters(
  { testCommand, todos, lastCommit }: ProjectFacts,
  name: string,
  { chat: { empty } }: Messages,
): ConcreteStarters {
  const tests = testCommand === null ? undefined : empty.runTests(testCommand);
  return {
    tests,
    write_tests: tests,
    explain:
      todos === null ? undefined : empty.todos(todos.folder || name, `${todos.count}${todos.hasMore ? "+" : ""}`),
    review: lastCommit === null ? undefined : empty.reviewCommit(lastCommit),
  };
}

export function SessionStart({ projectId, choice, onStarter }: SessionStartProps) {
  const client = useClient();
  const messages = useMessages();
  const project = useCommandQuery("project.open", { projectId }).data;
  const rows = mergeRows(useInfiniteQuery(queries.sessions(allSessions)).data?.pages);
  const isTour = choice.connection === tourConnectionId;
  const facts = useCommandQuery("project.facts", isTour || project === undefined ? skipToken : { projectId }).data;
  const name = project?.project.name ?? "";
  return (
    <EmptyConversation
      projectName={name}
      state={<StartState choice={choice} />}
      starters={isTour ? tourStarters : (project?.starters ?? [])}
      concrete={facts === undefined ? {} : concreteStarters(facts, name, messages)}
      onStarter={onStarter}
      // Exclude the session itself: it has no messages.
      recent={rows.filter((row) => row.projectId === projectId && currentPath() !== `/s/${row.id}`)}
      onOpenSession={(id) => navigate(`/s/${id}`)}
    >
      {project?.isWorkspace === false && (
        <button
          type="button"
          className="mt-5 text-small text-ink-muted hover:text-ink hover:underline max-tablet:min-h-11"
          onClick={() => void import("../navigation/open-workspace").then((one) => one.openWorkspace(client, messages))}
        >
          {messages.shell.workspace}
        </button>
      )}
    </EmptyConversation>
  );
}
