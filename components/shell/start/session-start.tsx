"use client";
/** Content of a conversation before its first message, for a new session and for one without messages. */
import { skipToken, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { tourConnectionId } from "@/lib/models/tour";
import type { ProjectId } from "@/lib/events/id";
import { EmptyConversation } from "../../chat/start/empty-conversation";
import { useMessages } from "../../messages/messages";
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

export function SessionStart({ projectId, choice, onStarter }: SessionStartProps) {
  const client = useClient();
  const messages = useMessages();
  const project = useCommandQuery("project.open", { projectId }).data;
  const rows = mergeRows(useInfiniteQuery(queries.sessions(allSessions)).data?.pages);
  const isTour = choice.connection === tourConnectionId;
  const { locale } = messages.figures;
  const own = isTour ? undefined : project?.project;
  const concrete = useQuery({
    queryKey: ["starters", projectId, locale],
    queryFn:
      own === undefined
        ? skipToken
        : async () => (await import("./concrete-starters")).loadConcreteStarters(client, own, locale),
  }).data;
  return (
    <EmptyConversation
      projectName={project?.project.name ?? ""}
      state={<StartState choice={choice} />}
      starters={isTour ? tourStarters : (project?.starters ?? [])}
      concrete={concrete ?? {}}
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
