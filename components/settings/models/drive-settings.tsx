"use client";
/** How a model is driven: the form of its tool calls and the length of its instructions. Remembered for the model. */
import type { ReactNode } from "react";
import type { CommandInput } from "@/lib/command";
import type { ModelNote } from "@/lib/models";
import { Segmented } from "../../ui/segmented";
import { useFullWords } from "../../words/full-words";
import { SettingGroup } from "../setting-field";

const toolModes = ["auto", "native", "react", "xml"] as const;
const profiles = ["auto", "small", "default", "full"] as const;

type Drive = Pick<CommandInput<"models.choose">, "toolMode" | "profile">;

export interface DriveSettingsProps {
  readonly note: ModelNote | undefined;
  /** Pressed and not answered yet. */
  readonly wish: Drive;
  readonly onChoose: (wish: Drive) => void;
}

export function DriveSettings({ note, wish, onChoose }: DriveSettingsProps) {
  const words = useFullWords();
  const text = words.settings.models;
  const learned = note?.toolMode;
  return (
    <SettingGroup title={text.how}>
      <Row label={text.toolMode} note={learned?.by === "server" ? text.toolModeServer : text.toolModeNote}>
        <Segmented
          name={text.toolMode}
          value={wish.toolMode ?? (learned?.by === "user" ? learned.mode : "auto")}
          options={toolModes.map((mode) => ({ value: mode, label: text.toolModes[mode] }))}
          onChange={(toolMode) => onChoose({ toolMode })}
        />
      </Row>
      <Row label={text.profile} note={text.profileNote}>
        <Segmented
          name={text.profile}
          value={wish.profile ?? note?.profile ?? "auto"}
          options={profiles.map((profile) => ({ value: profile, label: text.profiles[profile] }))}
          onChange={(profile) => onChoose({ profile })}
        />
      </Row>
    </SettingGroup>
  );
}

interface RowProps {
  readonly label: string;
  readonly note: string;
  readonly children: ReactNode;
}

function Row({ label, note, children }: RowProps) {
  return (
    <div className="grid items-start gap-x-6 gap-y-2 py-4 tablet:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <p className="font-medium">{label}</p>
        <p className="text-ink-muted">{note}</p>
      </div>
      <div>{children}</div>
    </div>
  );
}
