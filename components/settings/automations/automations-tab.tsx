"use client";
/** Automations tab: the list, the page of one, or the form for a new one. */
import type { AutomationView } from "@/lib/automations/automation";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { ItemSection } from "../item-section/item-section";
import { ServiceNote } from "../item-section/service-note";
import { openItem, useOpenItem } from "../item-section/open-item";
import type { SettingsSectionContext } from "../item-section/settings-section";
import { AutomationList } from "./automation-list";
import { AutomationPage } from "./automation-page";
import { useCommandQuery } from "../../state/use-command-query";
import { skipToken } from "@tanstack/react-query";
import { asId, type SessionId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { Skeleton } from "../../ui/indicators/skeleton";
import { newDraft } from "./automation-draft";
import { AutomationForm } from "./automation-form";
import { browserZone } from "./trigger-text";

interface NewAutomationProps {
  readonly projects: readonly Project[];
}

/** Form for a new automation; with `?session=ID` in the address it begins as that session did. */
function NewAutomation({ projects }: NewAutomationProps) {
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

const newAddress = "new";

export function AutomationsTab({ projects }: SettingsSectionContext) {
  const { automations: text } = useFullMessages();
  const query = useCommandQuery("automations.list", {}, { select: ({ automations: listed }) => listed });
  const opened = useOpenItem();
  return (
    <ItemSection<readonly AutomationView[], AutomationView>
      text={text}
      opened={opened}
      about={
        <>
          <p>{text.about}</p>
          <ServiceNote text={text.onlyWhileServed} />
        </>
      }
      query={query}
      items={(automations) => automations}
      addressOf={({ id }) => id}
      actions={
        projects.length > 0 && (
          <Button look="primary" onClick={() => openItem(newAddress)}>
            {text.add}
          </Button>
        )
      }
      list={(automations) => <AutomationList automations={automations} projects={projects} />}
      page={(automation) => <AutomationPage automation={automation} projects={projects} />}
      otherPage={opened === newAddress && <NewAutomation projects={projects} />}
    />
  );
}
