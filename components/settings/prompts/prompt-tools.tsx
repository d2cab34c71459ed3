"use client";
/** The built-in tools as the model gets them: description, tokens, and a switch for new sessions. */
import type { Profile } from "@/lib/events/event";
import type { PromptToolRow } from "@/lib/models/prompts";
import { useFullMessages } from "../../messages/full-messages";
import { Switch } from "../../ui/controls/switch";
import { SettingGroup } from "../fields/setting-row";
import { useSwitchTool } from "../tools/use-switch-tool";

interface PromptToolsProps {
  readonly tools: readonly PromptToolRow[];
  readonly profile: Profile;
  readonly disabledTools: readonly string[];
}

export function PromptTools({ tools, profile, disabledTools }: PromptToolsProps) {
  const { prompts: text, figures } = useFullMessages();
  const { setOn } = useSwitchTool();
  return (
    <SettingGroup title={text.toolsTitle} anchor="tools.disabled">
      <div className="py-3">
        <p className="max-w-[64ch] text-ink-muted">{text.toolsNote}</p>
      </div>
      {tools.map(({ name, descriptions, tokens }) => (
        <div key={name} className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-6 py-3">
          <div className="min-w-0">
            <p className="flex items-baseline gap-2">
              <code className="font-mono font-medium">{name}</code>
              <span className="text-small text-ink-muted tabular-nums">
                {text.toolTokens(figures.number(tokens[profile]))}
              </span>
            </p>
            <p className="max-w-[64ch] whitespace-pre-line text-ink-muted [overflow-wrap:anywhere]">
              {name === "toolbox" ? text.toolboxNote : descriptions[profile]}
            </p>
          </div>
          <Switch
            aria-label={text.useTool(name)}
            on={!disabledTools.includes(name)}
            onChange={(on) => void setOn(name, on)}
            className="mt-0.5"
          />
        </div>
      ))}
    </SettingGroup>
  );
}
