"use client";
/** Form for a new automation; with `?session=ID` in the address it begins as that session did. */
import { skipToken } from "@tanstack/react-query";
import { asId, type SessionId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { useStore } from "../../state/store";
import { Skeleton } from "../../ui/indicators/skeleton";
import { openItem } from "../open-item";
import { newDraft } from "./automation-draft";
import { AutomationForm } from "./automation-form";
import { browserZone } from "./trigger-text";

interface NewAutomationProps {
  readonly projects: readonly Project[];
}

export function NewAutomation({ projects }: NewAutomationProps) {
  const { automations: text, common } = useFullMessages();
  const { workbench } = useClient();
  const openProject = useStore(workbench, ({ projectId }) => projectId);
  const session = new URLSearchParams(location.search).get("session");
  const { data: begun, isLoading } = useCommandQuery(
    "automations.draft",
    session === null ? skipToken : { sessionId: asId<SessionId>(session) },
    { retry: false },
  );
  const wanted = [begun?.projectId, openProject];
  const project = wanted.flatMap((id) => projects.filter((one) => one.id === id))[0] ?? projects[0];
  if (isLoading) return <Skeleton label={common.loading} className="h-40" />;
  if (project === undefined) return <p>{text.noProject}</p>;
  /** The list has no session in its address. */
  const leave = (item: string | null): void => {
    history.replaceState(null, "", location.pathname + location.hash);
    openItem(item, "replace");
  };
  return (
    <div className="grid gap-4">
      <h2 className="text-title font-semibold">{text.newTitle}</h2>
      <AutomationForm
        start={{ ...newDraft(project.id, browserZone()), ...begun, projectId: project.id }}
        projects={projects}
        onSaved={({ id }) => leave(id)}
        onCancel={() => leave(null)}
      />
    </div>
  );
}
