"use client";
/** The tools of this program and of extensions: what they are for, their tokens, and a switch for new sessions. */
import type { OwnToolRow } from "@/lib/tools/trials";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Switch } from "../../ui/controls/switch";
import { VisibleText } from "../../ui/text/visible-text";
import { classes } from "../../ui/theme/classes";
import { LoadedQuery } from "../item-section/project-section";
import { useSwitchTool } from "./use-switch-tool";
import { useCommandQuery } from "../../state/use-command-query";
import { ItemList } from "../item-section/item-section";
import { SectionTitle } from "../item-section/section-title";

export function OwnTools({ project }: { readonly project: Project }) {
  const { mcp: text } = useFullMessages();
  const { disabledTools, setOn } = useSwitchTool();
  const query = useCommandQuery("tools.own", { projectId: project.id }, { select: ({ tools }) => tools });
  return (
    <section aria-label={text.ownTools} className="mb-8 grid gap-4">
      <div>
        <SectionTitle title={text.ownTools} />
        <p className="max-w-[68ch] text-ink-muted">{text.ownToolsNote}</p>
      </div>
      <LoadedQuery query={query} failed={text.ownToolsFailed}>
        {(tools) => (
          <ItemList label={text.ownTools}>
            {tools.map((tool) => (
              <OwnTool
                key={tool.name}
                tool={tool}
                isOn={!disabledTools.includes(tool.name)}
                onSet={(isOn) => void setOn(tool.name, isOn)}
              />
            ))}
          </ItemList>
        )}
      </LoadedQuery>
    </section>
  );
}

interface OwnToolProps {
  readonly tool: OwnToolRow;
  readonly isOn: boolean;
  readonly onSet: (isOn: boolean) => void;
}

function OwnTool({ tool: { name, source, description, tokens }, isOn, onSet }: OwnToolProps) {
  const { mcp: text, common, figures } = useFullMessages();
  const origin = source.kind === "extension" ? text.ofExtension(source.name) : text.ownSources[source.kind];
  return (
    <li className="flex items-center gap-3 py-2.5 pr-3.5 pl-3.5">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <code
            className={classes("font-mono text-code font-medium [overflow-wrap:anywhere]", !isOn && "text-ink-muted")}
          >
            <VisibleText text={name} names={common.hidden} />
          </code>
          <span className="text-small text-ink-muted tabular-nums">
            <VisibleText text={`${origin} · ${text.tokens(figures.tokens(tokens))}`} names={common.hidden} />
          </span>
        </p>
        <p className="max-w-[68ch] text-small text-ink-muted [overflow-wrap:anywhere]">
          <VisibleText text={description} names={common.hidden} />
        </p>
      </div>
      <Switch aria-label={text.useTool(name)} on={isOn} onChange={onSet} />
    </li>
  );
}
