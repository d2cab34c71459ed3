"use client";
/** Defaults of new sessions: model, largest window, thinking, tool calling, temperature, keep-alive time. */
import type { ModelServerState } from "@/lib/models/models";
import { windowSteps } from "@/lib/settings/model-settings";
import { toolCallings } from "@/lib/settings/settings";
import { useServerState } from "../../state/use-server-state";
import { Select } from "../../ui/controls/select";
import { useFullMessages } from "../../messages/full-messages";
import { Setting } from "../fields/setting";
import { SettingField } from "../fields/setting-field";
import { SettingGroup } from "../fields/setting-row";

const keepAliveSteps = [0, 5, 30, 60, 240, -1] as const;

export function NewSessionSettings({ server }: { readonly server: ModelServerState | undefined }) {
  const messages = useFullMessages();
  const text = messages.settings.model;
  const usesConnection = (useServerState("settings")?.connection ?? "") !== "";
  return (
    <SettingGroup title={text.title}>
      <SettingField name="model" note={usesConnection ? text.modelNoteConnection : undefined}>
        {({ settings, save, labelId }) => (
          <Select
            className="w-full"
            aria-labelledby={labelId}
            value={settings.model}
            options={modelOptions(settings.model, server, text.automatic)}
            onChange={(model) => save({ model })}
          />
        )}
      </SettingField>
      <SettingField name="contextMaxTokens">
        {({ settings, save, labelId }) => (
          <Select
            className="w-full"
            aria-labelledby={labelId}
            value={String(settings.contextMaxTokens)}
            options={[...new Set([0, ...windowSteps, settings.contextMaxTokens])].map((tokens) => ({
              value: String(tokens),
              label: tokens === 0 ? text.automatic : text.tokens(messages.figures.tokens(tokens)),
            }))}
            onChange={(tokens) => save({ contextMaxTokens: Number(tokens) })}
          />
        )}
      </SettingField>
      <Setting name="think" />
      <Setting name="thinkMaxTokens" />
      <ToolCalling />
      <Setting name="temperature" />
      <KeepAlive />
    </SettingGroup>
  );
}

function ToolCalling() {
  const text = useFullMessages().settings;
  return (
    <SettingField name="toolCalling">
      {({ settings, save, labelId }) => (
        <Select
          className="w-full"
          aria-labelledby={labelId}
          value={settings.toolCalling}
          options={toolCallings.map((value) => ({ value, label: text.models.toolModes[value] }))}
          onChange={(toolCalling) => save({ toolCalling })}
        />
      )}
    </SettingField>
  );
}

function KeepAlive() {
  const messages = useFullMessages();
  const text = messages.settings.model;
  const label = (minutes: number): string => {
    if (minutes < 0) return text.forEver;
    return minutes === 0 ? text.notAtAll : messages.figures.duration(minutes * 60_000);
  };
  return (
    <SettingField name="keepAliveMinutes">
      {({ settings, save, labelId }) => (
        <Select
          className="w-full"
          aria-labelledby={labelId}
          value={String(settings.keepAliveMinutes)}
          options={[...new Set<number>([...keepAliveSteps, settings.keepAliveMinutes])].map((minutes) => ({
            value: String(minutes),
            label: label(minutes),
          }))}
          onChange={(minutes) => save({ keepAliveMinutes: Number(minutes) })}
        />
      )}
    </SettingField>
  );
}

function modelOptions(
  chosen: string,
  server: ModelServerState | undefined,
  automatic: string,
): readonly { readonly value: string; readonly label: string }[] {
  const names = (server?.models ?? []).map((model) => model.name).sort((a, b) => a.localeCompare(b));
  const all = chosen === "" || names.includes(chosen) ? names : [chosen, ...names];
  return [{ value: "", label: automatic }, ...all.map((name) => ({ value: name, label: name }))];
}
