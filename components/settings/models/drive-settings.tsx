"use client";
/** Options of one model other than its window, with their keys in `models.yaml`. Saved at once. */
import { type ReactNode, useId } from "react";
import type { CommandInput } from "@/lib/command";
import { configValueText } from "@/lib/config-keys";
import { modelBounds, modelKeys, type ModelSettingName } from "@/lib/model-settings";
import type { ModelNote } from "@/lib/models";
import { thinkLevels } from "@/lib/thinking";
import { Segmented } from "../../ui/segmented";
import { Select } from "../../ui/select";
import { useFullWords } from "../../words/full-words";
import { temperatureOf } from "../connections/connection-draft";
import { SettingGroup } from "../setting-field";
import { TextSetting } from "../text-setting";

const toolModes = ["auto", "native", "react", "xml"] as const;
const profiles = ["auto", "small", "default", "full"] as const;
const thinking = ["auto", true, false, ...thinkLevels] as const;

/** Pending change, shown as if it were already saved. */
export type ModelWish = Omit<CommandInput<"models.choose">, "model" | "connection">;

export interface DriveSettingsProps {
  readonly note: ModelNote | undefined;
  readonly pending: ModelWish;
  /** Only Ollama unloads models automatically and has windows chosen by memory use. */
  readonly isOllama: boolean;
  readonly onChoose: (pending: ModelWish) => void;
}

export function DriveSettings({ note, pending, isOllama, onChoose }: DriveSettingsProps) {
  const words = useFullWords();
  const text = words.settings.models;
  const learned = note?.toolMode;
  const think = pending.think ?? note?.think ?? "auto";
  return (
    <SettingGroup title={text.how}>
      <Row
        name="toolMode"
        label={text.toolMode}
        note={learned?.by === "server" ? text.toolModeServer : text.toolModeNote}
      >
        {() => (
          <Segmented
            name={text.toolMode}
            value={pending.toolMode ?? (learned?.by === "user" ? learned.mode : "auto")}
            options={toolModes.map((mode) => ({ value: mode, label: text.toolModes[mode] }))}
            onChange={(toolMode) => onChoose({ toolMode })}
          />
        )}
      </Row>
      <Row name="profile" label={text.profile} note={text.profileNote}>
        {() => (
          <Segmented
            name={text.profile}
            value={pending.profile ?? note?.profile ?? "auto"}
            options={profiles.map((profile) => ({ value: profile, label: text.profiles[profile] }))}
            onChange={(profile) => onChoose({ profile })}
          />
        )}
      </Row>
      <Row name="think" label={text.think} note={text.thinkOptionNote}>
        {(labelId) => (
          <Select
            className="w-full"
            aria-labelledby={labelId}
            value={String(think)}
            options={thinking.map((value) => ({ value: String(value), label: text.thinkOptions[`${value}`] }))}
            onChange={(chosen) => onChoose({ think: thinking.find((value) => String(value) === chosen) ?? "auto" })}
          />
        )}
      </Row>
      <Numbers note={note} isOllama={isOllama} onChoose={onChoose} />
    </SettingGroup>
  );
}

/** Parses a duration in minutes: "90" and "90m" are minutes, "2h" hours, "-1" never unloads; null = invalid. */
function minutesOf(text: string): number | null {
  const [, count, unit] = /^(-1|\d{1,4})\s*([mh]?)$/.exec(text.trim()) ?? [];
  const minutes = count === undefined ? Number.NaN : Number(count) * (unit === "h" ? 60 : 1);
  const { least, most } = modelBounds.keepAliveMinutes;
  return minutes >= least && minutes <= most ? minutes : null;
}

/** An empty field means automatic. */
function Numbers({ note, isOllama, onChoose }: Omit<DriveSettingsProps, "pending">) {
  const words = useFullWords();
  const text = words.settings.models;
  const { automatic } = words.settings.model;
  const minutes = note?.keepAliveMinutes;
  return (
    <>
      <Row name="temperature" label={words.connections.temperature} note={text.temperatureNote}>
        {(labelId) => (
          <TextSetting
            inputMode="decimal"
            value={note?.temperature === undefined ? "" : String(note.temperature)}
            placeholder={automatic}
            labelId={labelId}
            problemOf={(value) => (temperatureOf(value) === null ? words.connections.temperatureBad : null)}
            onSave={(value) => onChoose({ temperature: temperatureOf(value) ?? "auto" })}
          />
        )}
      </Row>
      {!isOllama && (
        <Tokens
          name="numCtx"
          label={words.connections.window}
          note={text.windowNotePlain}
          value={note?.numCtx}
          onSave={(tokens) => onChoose({ numCtx: tokens ?? 0 })}
        />
      )}
      <Tokens
        name="maxOutputTokens"
        label={text.maxOutput}
        note={text.maxOutputNote}
        value={note?.maxOutputTokens}
        onSave={(tokens) => onChoose({ maxOutputTokens: tokens ?? "auto" })}
      />
      {isOllama && (
        <Row name="keepAliveMinutes" label={words.settings.model.keepAlive} note={text.keepAliveNote}>
          {(labelId) => (
            <TextSetting
              value={minutes === undefined ? "" : configValueText("keepAliveMinutes", minutes)}
              placeholder={automatic}
              labelId={labelId}
              problemOf={(value) => (value === "" || minutesOf(value) !== null ? null : text.keepAliveBad)}
              onSave={(value) => onChoose({ keepAliveMinutes: minutesOf(value) ?? "auto" })}
            />
          )}
        </Row>
      )}
    </>
  );
}

interface TokensProps {
  readonly name: "numCtx" | "maxOutputTokens";
  readonly label: string;
  readonly note: string;
  readonly value: number | undefined;
  readonly onSave: (tokens: number | undefined) => void;
}

function Tokens({ name, label, note, value, onSave }: TokensProps) {
  const words = useFullWords();
  const { least, most } = modelBounds[name];
  return (
    <Row name={name} label={label} note={note}>
      {(labelId) => (
        <TextSetting
          inputMode="numeric"
          value={value === undefined ? "" : String(value)}
          placeholder={words.settings.model.automatic}
          labelId={labelId}
          problemOf={(text) =>
            text === "" || (/^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= most)
              ? null
              : words.config.range(words.figures.number(least), words.figures.number(most))
          }
          onSave={(text) => onSave(text === "" ? undefined : Number(text))}
        />
      )}
    </Row>
  );
}

interface RowProps {
  readonly name: ModelSettingName;
  readonly label: string;
  readonly note: string;
  readonly children: (labelId: string) => ReactNode;
}

function Row({ name, label, note, children }: RowProps) {
  const labelId = useId();
  return (
    <div className="grid items-start gap-x-6 gap-y-2 py-4 tablet:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <p>
          <span id={labelId} className="font-medium">
            {label}
          </span>
          <code className="ml-2 font-mono text-small text-ink-muted max-tablet:hidden">{modelKeys[name].key}</code>
        </p>
        <p className="max-w-[56ch] text-ink-muted">{note}</p>
      </div>
      <div className="tablet:flex tablet:w-64 tablet:justify-end">{children(labelId)}</div>
    </div>
  );
}
