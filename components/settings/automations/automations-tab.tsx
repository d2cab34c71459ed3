"use client";
/** Automations tab: the list, the page of one, or the form for a new one. */
import type { AutomationView } from "@/lib/automations/automation";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { ItemSection } from "../item-section/item-section";
import { ServiceNote } from "../item-section/service-note";
import { openItem } from "../open-item";
import type { SettingsSectionContext } from "../settings-section";
import { AutomationList } from "./automation-list";
import { AutomationPage } from "./automation-page";
import { NewAutomation } from "./new-automation";
import { useCommandQuery } from "../../state/use-command-query";

const newAddress = "new";

export function AutomationsTab({ projects }: SettingsSectionContext) {
  const { automations: text } = useFullMessages();
  const query = useCommandQuery("automations.list", {}, { select: ({ automations: listed }) => listed });
  return (
    <ItemSection<readonly AutomationView[], AutomationView>
      title={text.title}
      about={
        <>
          <p>{text.about}</p>
          <ServiceNote text={text.onlyWhileServed} />
        </>
      }
      back={text.back}
      query={query}
      failed={text.failed}
      missing={text.missing}
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
      otherPages={{ [newAddress]: <NewAutomation projects={projects} /> }}
    />
  );
}
