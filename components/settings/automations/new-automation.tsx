"use client";
/** Form for a new automation, with the values of an address such as `?prompt=…&project=…`. */
import type { ProjectId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { openItem } from "../open-item";
import { AutomationForm } from "./automation-form";
import { newDraft } from "./automation-draft";
import { browserZone } from "./trigger-text";

interface NewAutomationProps {
  readonly projects: readonly Project[];
}

export function NewAutomation({ projects }: NewAutomationProps) {
  const { automations: text } = useFullMessages();
  const openProject = useStore(useClient().workbench, ({ projectId }) => projectId);
  const query = new URLSearchParams(location.search);
  const wanted: readonly (string | ProjectId | null)[] = [query.get("project"), openProject];
  const project = wanted.flatMap((id) => projects.filter((one) => one.id === id))[0] ?? projects[0];
  if (project === undefined) return <p>{text.noProject}</p>;
  const [model, connection] = [query.get("model"), query.get("connection")];
  const start = {
    ...newDraft(project.id, browserZone()),
    prompt: query.get("prompt") ?? "",
    ...(model === null ? {} : { model }),
    ...(connection === null ? {} : { connection }),
  };
  return (
    <div className="grid gap-4">
      <h2 className="text-title font-semibold">{text.newTitle}</h2>
      <AutomationForm
        start={start}
        projects={projects}
        onSaved={({ id }) => {
          history.replaceState(null, "", location.pathname);
          openItem(id, "replace");
        }}
        onCancel={() => openItem(null, "replace")}
      />
    </div>
  );
}
