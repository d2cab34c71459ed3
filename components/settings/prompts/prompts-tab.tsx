"use client";
/** Prompts tab: the rules of each profile, how tools are called, and the built-in tools with their switches. */
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import type { Profile, ToolMode } from "@/lib/events/event";
import { profiles, type PromptToolRow } from "@/lib/models/prompts";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { commandQuery, invalidateCommands } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";
import { useServerState } from "../../state/use-server-state";
import { Segmented } from "../../ui/controls/segmented";
import { RawText } from "../item-section/disclosure";
import { LoadedQuery } from "../item-section/project-section";
import { PromptRulesEditor } from "./prompt-rules-editor";
import { Switch } from "../../ui/controls/switch";
import { SettingGroup } from "../fields/setting-row";
import { useSwitchTool } from "../tools/use-switch-tool";
import { SectionTitle } from "../item-section/section-title";
import { settingText } from "../fields/setting-list";

interface PromptToolsProps {
  readonly tools: readonly PromptToolRow[];
  readonly profile: Profile;
  readonly disabledTools: readonly string[];
}

/** The built-in tools as the model gets them: description, tokens, and a switch for new sessions. */
function PromptTools({ tools, profile, disabledTools }: PromptToolsProps) {
  const messages = useFullMessages();
  const { prompts: text, figures } = messages;
  const { setOn } = useSwitchTool();
  return (
    <SettingGroup title={text.toolsTitle} anchor="tools.disabled">
      <div className="py-3">
        <p className="max-w-[64ch] text-ink-muted">{settingText(messages, "disabledTools").note}</p>
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

const toolModes: readonly ToolMode[] = ["native", "react", "xml"];

export function PromptsTab() {
  const { prompts: text, settings } = useFullMessages();
  const { cache } = useClient();
  const disabledTools = useServerState("settings")?.disabledTools ?? [];
  const [profile, setProfile] = useState<Profile>("default");
  const [mode, setMode] = useState<ToolMode>("native");
  const query = useCommandQuery(
    "prompts.read",
    {},
    { refetchOnWindowFocus: true, stamp: disabledTools, placeholderData: keepPreviousData },
  );
  const state = query.data;
  return (
    <>
      <section aria-label={text.rulesTitle} className="mb-8">
        <SectionTitle title={text.rulesTitle} />
        <p className="mb-3 max-w-[64ch] text-ink-muted">{text.rulesNote}</p>
        <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-ink-muted">{text.shown}</span>
          <Segmented
            name={text.profile}
            value={profile}
            options={profiles.map((value) => ({ value, label: settings.models.profiles[value] }))}
            onChange={setProfile}
          />
          <span className="text-small text-ink-muted">{text.profileNotes[profile]}</span>
        </div>
        <LoadedQuery query={query} failed={text.failed}>
          {(loaded) => (
            <PromptRulesEditor
              key={profile}
              profile={profile}
              state={loaded}
              disabledTools={disabledTools}
              onSaved={(next) =>
                cache.setQueryData(commandQuery("prompts.read", {}, { stamp: disabledTools }).queryKey, next)
              }
              onReload={() => invalidateCommands(cache, ["prompts.read"])}
            />
          )}
        </LoadedQuery>
      </section>
      <section aria-label={text.callsTitle} className="mb-8">
        <SectionTitle title={text.callsTitle} />
        <p className="mb-3 max-w-[64ch] text-ink-muted">{text.callsNote}</p>
        <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-ink-muted">{text.shown}</span>
          <Segmented
            name={text.callsForm}
            value={mode}
            options={toolModes.map((value) => ({ value, label: settings.models.toolModes[value] }))}
            onChange={setMode}
          />
        </div>
        {state !== undefined && <RawText text={state.calls[mode]} />}
      </section>
      <PromptTools tools={state?.tools ?? []} profile={profile} disabledTools={disabledTools} />
    </>
  );
}
