"use client";
/** The model server, the model of new sessions, its window; what is installed and what is being pulled. */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { settingsDefaults, windowSteps } from "@/lib/settings";
import type { ModelServerState, PullState } from "@/lib/models";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import { Button } from "../ui/button";
import { Chip } from "../ui/chip";
import { Progress } from "../ui/meter";
import { Select } from "../ui/select";
import { Switch } from "../ui/switch";
import { TextField } from "../ui/text-field";
import { useWords } from "../words/words";
import { SettingField, SettingGroup } from "./setting-field";
import { TextSetting } from "./text-setting";

const keepAliveSteps = [0, 5, 30, 60, 240, -1] as const;
const ollamaAddress = "http://127.0.0.1:11434";

export function ModelTab() {
  const words = useWords();
  const { settings: text } = words;
  const server = useQuery(queries.models()).data;
  return (
    <>
      <SettingGroup title={text.model.title}>
        <SettingField
          label={text.model.host}
          note={text.model.hostNote}
          defaults={{ ollamaHost: settingsDefaults.ollamaHost }}
        >
          {({ settings, save, labelId }) => (
            <TextSetting
              mono
              inputMode="url"
              value={settings.ollamaHost}
              labelId={labelId}
              placeholder={server?.host ?? ollamaAddress}
              onSave={(ollamaHost) => save({ ollamaHost })}
            />
          )}
        </SettingField>
        <SettingField label={text.model.model} note={text.model.modelNote} defaults={{ model: settingsDefaults.model }}>
          {({ settings, save, labelId }) => (
            <Select
              className="w-full"
              aria-labelledby={labelId}
              value={settings.model}
              options={modelOptions(settings.model, server, text.model.automatic)}
              onChange={(model) => save({ model })}
            />
          )}
        </SettingField>
        <SettingField
          label={text.model.window}
          note={text.model.windowNote}
          defaults={{ contextMaxTokens: settingsDefaults.contextMaxTokens }}
        >
          {({ settings, save, labelId }) => (
            <Select
              className="w-full"
              aria-labelledby={labelId}
              value={String(settings.contextMaxTokens)}
              options={[...new Set([0, ...windowSteps, settings.contextMaxTokens])].map((tokens) => ({
                value: String(tokens),
                label: tokens === 0 ? text.model.automatic : text.model.tokens(words.figures.tokens(tokens)),
              }))}
              onChange={(tokens) => save({ contextMaxTokens: Number(tokens) })}
            />
          )}
        </SettingField>
        <SettingField label={text.model.think} note={text.model.thinkNote} defaults={{ think: settingsDefaults.think }}>
          {({ settings, save, labelId }) => (
            <Switch aria-labelledby={labelId} on={settings.think} onChange={(think) => save({ think })} />
          )}
        </SettingField>
        <SettingField
          label={text.model.keepAlive}
          note={text.model.keepAliveNote}
          defaults={{ keepAliveMinutes: settingsDefaults.keepAliveMinutes }}
        >
          {({ settings, save, labelId }) => (
            <Select
              className="w-full"
              aria-labelledby={labelId}
              value={String(settings.keepAliveMinutes)}
              options={[...new Set<number>([...keepAliveSteps, settings.keepAliveMinutes])].map((minutes) => ({
                value: String(minutes),
                label:
                  minutes < 0
                    ? text.model.forEver
                    : minutes === 0
                      ? text.model.notAtAll
                      : words.figures.duration(minutes * 60_000),
              }))}
              onChange={(minutes) => save({ keepAliveMinutes: Number(minutes) })}
            />
          )}
        </SettingField>
        <SettingField
          label={text.model.steps}
          note={text.model.stepsNote}
          defaults={{ maxSteps: settingsDefaults.maxSteps }}
        >
          {({ settings, save, labelId }) => (
            <TextSetting
              inputMode="numeric"
              value={String(settings.maxSteps)}
              labelId={labelId}
              isValid={(value) => /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= 500}
              onSave={(value) => save({ maxSteps: Number(value) })}
            />
          )}
        </SettingField>
      </SettingGroup>
      <Installed server={server} />
    </>
  );
}

function modelOptions(
  chosen: string,
  server: ModelServerState | undefined,
  automatic: string,
): readonly { readonly value: string; readonly label: string }[] {
  const names = (server?.models ?? []).map((model) => model.name);
  const all = chosen === "" || names.includes(chosen) ? names : [chosen, ...names];
  return [{ value: "", label: automatic }, ...all.map((name) => ({ value: name, label: name }))];
}

function Installed({ server }: { readonly server: ModelServerState | undefined }) {
  const words = useWords();
  const { call } = useClient();
  const pulls = useQuery(queries.pulls()).data ?? [];
  const [name, setName] = useState("");
  const isName = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,198}$/.test(name.trim());
  const pull = (event: FormEvent): void => {
    event.preventDefault();
    if (!isName) return;
    void call("models.pull", { name: name.trim() });
    setName("");
  };
  return (
    <SettingGroup title={words.settings.model.installed}>
      {server?.status === "unreachable" && (
        <p className="py-4 text-ink-muted">{words.models.unreachable(server.host)}</p>
      )}
      {(server?.models ?? []).map((model) => {
        const loaded = server?.loaded.some((one) => one.name === model.name) === true;
        const facts = [
          model.parameters,
          model.quantization,
          model.size === undefined ? undefined : words.figures.bytes(model.size),
          model.contextLength === undefined
            ? undefined
            : words.settings.model.tokens(words.figures.tokens(model.contextLength)),
        ];
        return (
          <div key={model.name} className="flex items-center gap-3 py-2.5">
            <div className="min-w-0 flex-1">
              <p className="cut font-mono text-code">{model.name}</p>
              <p className="text-small text-ink-muted">{facts.filter((fact) => fact !== undefined).join(" · ")}</p>
            </div>
            {loaded && <Chip tone="accent">{words.settings.model.loaded}</Chip>}
          </div>
        );
      })}
      {pulls
        .filter((one) => one.status !== "done" && one.status !== "cancelled")
        .map((one) => (
          <Pulling key={one.name} pull={one} />
        ))}
      <form onSubmit={pull} className="flex max-w-120 gap-2 py-4">
        <TextField
          mono
          value={name}
          invalid={name !== "" && !isName}
          aria-label={words.settings.model.pullName}
          placeholder={words.settings.model.pullName}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={!isName || server?.status !== "ready"}>
          {words.models.pull}
        </Button>
      </form>
    </SettingGroup>
  );
}

function Pulling({ pull }: { readonly pull: PullState }) {
  const words = useWords();
  const { call } = useClient();
  const isFailed = pull.status === "failed";
  return (
    <div className="py-2.5">
      <div className="flex items-center gap-3">
        <p className="min-w-0 flex-1 cut font-mono text-code">{pull.name}</p>
        <span className="text-small text-ink-muted tabular-nums">
          {isFailed
            ? words.models.pullFailed(pull.name)
            : words.models.ofTotal(words.figures.bytes(pull.completedBytes), words.figures.bytes(pull.totalBytes))}
        </span>
        {isFailed ? (
          <Button size="small" onClick={() => void call("models.pull", { name: pull.name })}>
            {words.models.resume}
          </Button>
        ) : (
          <Button size="small" onClick={() => void call("models.cancel_pull", { name: pull.name })}>
            {words.models.cancel}
          </Button>
        )}
      </div>
      {!isFailed && (
        <Progress
          className="mt-2"
          label={words.models.pulling(pull.name)}
          share={pull.totalBytes === 0 ? null : pull.completedBytes / pull.totalBytes}
        />
      )}
    </div>
  );
}
