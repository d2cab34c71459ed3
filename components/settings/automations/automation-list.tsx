"use client";
/** The automations with what starts them; a row opens the automation's page. */
import type { AutomationView } from "@/lib/automations/automation";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Switch } from "../../ui/controls/switch";
import { VisibleText } from "../../ui/text/visible-text";
import { ItemRow } from "../item-section/item-row";
import { EmptyItems, ItemList } from "../item-section/item-section";
import { OpenItemButton } from "../item-section/open-item-button";
import { useChange } from "../../state/use-change";
import { AutomationStatus, isRehearsed } from "./automation-status";
import { browserZone, formatTrigger } from "./trigger-text";

interface AutomationListProps {
  readonly automations: readonly AutomationView[];
  readonly projects: readonly Project[];
}

export function AutomationList({ automations, projects }: AutomationListProps) {
  const { automations: text } = useFullMessages();
  if (automations.length === 0)
    return (
      <EmptyItems title={text.empty}>
        <p>{projects.length === 0 ? text.noProject : text.emptyNote}</p>
      </EmptyItems>
    );
  return (
    <ItemList label={text.list}>
      {automations.map((automation) => (
        <AutomationRow
          key={automation.id}
          automation={automation}
          project={projects.find(({ id }) => id === automation.projectId)}
        />
      ))}
    </ItemList>
  );
}

interface AutomationRowProps {
  readonly automation: AutomationView;
  readonly project: Project | undefined;
}

function AutomationRow({ automation, project }: AutomationRowProps) {
  const { automations: text, common, figures } = useFullMessages();
  const { perform } = useChange("toast");
  const { id, name, isOn, trigger, next } = automation;
  const facts = [
    project?.name ?? text.removedProject,
    formatTrigger(trigger, text, browserZone()),
    ...(next[0] === undefined ? [] : [text.next(figures.dateTime(next[0]))]),
  ];
  return (
    <ItemRow
      name={
        <OpenItemButton item={id} className="[overflow-wrap:anywhere]">
          <VisibleText text={name} names={common.hidden} />
        </OpenItemButton>
      }
      chips={<AutomationStatus automation={automation} />}
      end={
        isRehearsed(automation) && (
          <Switch
            aria-label={text.use(name)}
            on={isOn}
            onChange={(on) => void perform("automations.switch", { id, isOn: on })}
            className="z-10"
          />
        )
      }
    >
      <p className="text-small text-ink-muted tabular-nums [overflow-wrap:anywhere]">{facts.join(" · ")}</p>
    </ItemRow>
  );
}
