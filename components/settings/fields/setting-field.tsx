"use client";
/** One setting: label, note, control and save state. Every change is saved at once. */
import { RotateCcw } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { formatConfigKey } from "@/lib/settings/config-keys";
import type { AgentError } from "@/lib/events/error";
import { type SettingName, type Settings, settingsDefaults } from "@/lib/settings/settings";
import { useClient } from "../../state/client";
import { performCommand } from "../../state/command-answers";
import { useServerState } from "../../state/use-server-state";
import { IconButton } from "../../ui/controls/icon-button";
import { useFullMessages } from "../../messages/full-messages";
import { isChanged, settingText } from "./setting-list";
import { SettingRow } from "./setting-row";

type SaveState = "idle" | "saving" | "saved" | AgentError;

const savedMs = 2_000;

interface SettingFieldProps {
  readonly name: SettingName;
  /** Replaces the note of the list of settings. */
  readonly note?: string;
  /** Places the control below the note instead of beside the label. */
  readonly isWide?: boolean;
  readonly children: (field: SettingControl) => ReactNode;
}

interface SettingControl {
  readonly settings: Settings;
  /** Resolves when it is answered. */
  readonly save: (patch: Partial<Settings>) => Promise<void>;
  /** Id of the label, for the control's aria-labelledby. */
  readonly labelId: string;
}

export function SettingField({ name, note, isWide = false, children }: SettingFieldProps) {
  const messages = useFullMessages();
  const client = useClient();
  const settings = useServerState("settings");
  const [state, setState] = useState<SaveState>("idle");
  const labelId = useId();
  useEffect(() => {
    if (state !== "saved") return;
    const timer = setTimeout(() => setState("idle"), savedMs);
    return () => clearTimeout(timer);
  }, [state]);
  if (settings === undefined) return null;
  const save = async (patch: Partial<Settings>): Promise<void> => {
    setState("saving");
    const answer = await performCommand(client, "settings.write", { patch });
    setState(answer.ok ? "saved" : answer.error);
  };
  const text = settingText(messages, name);
  const key = formatConfigKey(name);
  return (
    <SettingRow
      anchor={key}
      configKey={key}
      label={text.label}
      labelId={labelId}
      note={note ?? text.note}
      isWide={isWide}
      error={typeof state === "object" ? state : undefined}
      aside={
        <>
          {isChanged(settings, name) && (
            <IconButton
              icon={RotateCcw}
              name={messages.settings.reset}
              size="small"
              className="max-tablet:size-8"
              onClick={() => void save({ [name]: settingsDefaults[name] })}
            />
          )}
          <span role="status" className="text-small text-ink-muted">
            {state === "saved" && <span className="animate-appear">{messages.settings.saved}</span>}
          </span>
        </>
      }
    >
      {children({ settings, save, labelId })}
    </SettingRow>
  );
}
