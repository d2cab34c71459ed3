"use client";
/** Prompts tab: the rules of each profile, how tools are called, and the built-in tools with their switches. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Profile, ToolMode } from "@/lib/events/event";
import { profiles, type PromptsState } from "@/lib/models/prompts";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { callValue } from "../../state/queries";
import { useServerState } from "../../state/use-server-state";
import { Segmented } from "../../ui/controls/segmented";
import { RawText } from "../disclosure";
import { LoadedQuery } from "../project-section";
import { PromptTools } from "./prompt-tools";
import { PromptRulesEditor } from "./prompt-rules-editor";

type Call = Parameters<typeof callValue>[0];

const promptsQuery = (call: Call, disabledTools: readonly string[]) =>
  queryOptions<PromptsState>({
    queryKey: ["prompts", disabledTools],
    staleTime: 0,
    // The user may have edited a file in another program.
    refetchOnWindowFocus: true,
    queryFn: () => callValue(call, "prompts.read", {}),
  });

const toolModes: readonly ToolMode[] = ["native", "react", "xml"];

export function PromptsTab() {
  const { prompts: text, settings } = useFullMessages();
  const { call, cache } = useClient();
  const disabledTools = useServerState("settings")?.disabledTools ?? [];
  const [profile, setProfile] = useState<Profile>("default");
  const [mode, setMode] = useState<ToolMode>("native");
  const query = useQuery({ ...promptsQuery(call, disabledTools), placeholderData: (before) => before });
  const state = query.data;
  return (
    <>
      <section aria-label={text.rulesTitle} className="mb-8">
        <h2 className="mb-1 text-title font-semibold">{text.rulesTitle}</h2>
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
              onSaved={(next) => cache.setQueryData(promptsQuery(call, disabledTools).queryKey, next)}
              onReload={() => cache.invalidateQueries({ queryKey: ["prompts"] })}
            />
          )}
        </LoadedQuery>
      </section>
      <section aria-label={text.callsTitle} className="mb-8">
        <h2 className="mb-1 text-title font-semibold">{text.callsTitle}</h2>
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
