"use client";
/** One setting: label, note, control and save state. Every change is saved at once. */
import { RotateCcw } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { formatConfigKey } from "@/lib/settings/config-keys";
import type { AgentError } from "@/lib/events/error";
import type { Settings } from "@/lib/settings/settings";
import { useClient } from "../../state/client";
import { useServerState } from "../../state/use-server-state";
import { IconButton } from "../../ui/controls/icon-button";
import { useFullMessages } from "../../messages/full-messages";
import { useAnchor } from "./use-anchor";

type SaveState = "idle" | "saving" | "saved" | AgentError;

const savedMs = 2_000;

interface SettingFieldProps {
  readonly label: string;
  readonly note?: string;
  /** Its id in the URL's hash. */
  readonly anchor?: string;
  /** Values a reset writes; a setting with these values has no reset button. */
  readonly defaults: Partial<Settings>;
  /** Shows the key of `config.yaml` beside the label. */
  readonly configKey?: keyof Settings;
  /** Places the control below the note instead of beside the label. */
  readonly isWide?: boolean;
  readonly children: (field: SettingControl) => ReactNode;
}

interface SettingControl {
  readonly settings: Settings;
  readonly save: (patch: Partial<Settings>) => void;
  /** Id of the label, for the control's aria-labelledby. */
  readonly labelId: string;
}

export function SettingField(props: SettingFieldProps) {
  const { label, note, anchor, defaults, configKey, isWide = false, children } = props;
  const messages = useFullMessages();
  const { call, serverState } = useClient();
  const settings = useServerState("settings");
  const [state, setState] = useState<SaveState>("idle");
  const labelId = useId();
  const place = useAnchor<HTMLDivElement>(anchor, settings !== undefined);
  useEffect(() => {
    if (state !== "saved") return;
    const timer = setTimeout(() => setState("idle"), savedMs);
    return () => clearTimeout(timer);
  }, [state]);
  if (settings === undefined) return null;
  const save = (patch: Partial<Settings>): void => {
    setState("saving");
    void call("settings.write", { patch }).then((answer) => {
      if (answer.ok) serverState.merge({ settings: answer.value });
      setState(answer.ok ? "saved" : answer.error);
    });
  };
  const isDefault = hasValues(settings, defaults);
  return (
    <div
      ref={place}
      {...anchorProps(anchor)}
      className={isWide ? "py-4" : "grid items-start gap-x-6 gap-y-2 py-4 tablet:grid-cols-[1fr_auto]"}
    >
      <div className="min-w-0">
        <div className="flex min-h-6 items-center gap-1">
          <span id={labelId} className="font-medium">
            {label}
          </span>
          {configKey !== undefined && (
            <code className="ml-1 font-mono text-small text-ink-muted max-tablet:hidden">
              {formatConfigKey(configKey)}
            </code>
          )}
          {!isDefault && (
            <IconButton
              icon={RotateCcw}
              name={messages.settings.reset}
              size="small"
              className="max-tablet:size-8"
              onClick={() => save(defaults)}
            />
          )}
          <span role="status" className="text-small text-ink-muted">
            {state === "saved" && <span className="animate-appear">{messages.settings.saved}</span>}
          </span>
        </div>
        {note !== undefined && <p className="max-w-[56ch] text-ink-muted">{note}</p>}
        {typeof state === "object" && (
          <p role="alert" className="mt-1 text-danger">
            {state.code === "bad_input" ? messages.settings.badValue : messages.errors.sentences[state.code]}
          </p>
        )}
      </div>
      <div className={isWide ? "mt-2" : "tablet:flex tablet:w-64 tablet:justify-end"}>
        {children({ settings, save, labelId })}
      </div>
    </div>
  );
}

/** Whether the settings already have these values. */
function hasValues(settings: Settings, values: Partial<Settings>): boolean {
  return JSON.stringify({ ...settings, ...values }) === JSON.stringify(settings);
}

const anchorProps = (anchor: string | undefined) => (anchor === undefined ? {} : { id: anchor, tabIndex: -1 });

interface SettingGroupProps {
  readonly title: string;
  /** Its id in the URL's hash. */
  readonly anchor?: string;
  readonly children: ReactNode;
}

export function SettingGroup({ title, anchor, children }: SettingGroupProps) {
  const place = useAnchor<HTMLElement>(anchor, true);
  return (
    <section ref={place} {...anchorProps(anchor)} aria-label={title} className="mb-8">
      <h2 className="mb-1 text-title font-semibold">{title}</h2>
      <div className="divide-y divide-line border-t border-line">{children}</div>
    </section>
  );
}
