"use client";
/** Export of all settings, and import from a file of another tool or gopi-web, with a preview first. */
import { useId, useRef, useState } from "react";
import { formatConfigKey, formatConfigValue, isSettingName } from "@/lib/settings/config-keys";
import type { CommandInput } from "@/lib/protocol/command";
import type { ConfigImport, ForeignConfigFile } from "@/lib/settings/foreign-config";
import { modelSettingTable, modelSettingNames } from "@/lib/settings/model-settings";
import { limits, type Settings } from "@/lib/settings/settings";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { useServerState } from "../../state/use-server-state";
import { Button } from "../../ui/controls/button";
import { saveFile } from "../../ui/browser/save-file";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { SectionTitle } from "../item-section/section-title";

type ImportSource = CommandInput<"config.import">;

/** State of a selected file: its changes, imported, or the reason it cannot be used. */
type ImportState =
  | { readonly kind: "found"; readonly source: ImportSource; readonly found: ConfigImport }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly reason: string };

export function ImportSetting() {
  const messages = useFullMessages();
  const text = messages.config.import;
  const { call } = useClient();
  const [chosen, setChosen] = useState<ImportState | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const inputId = useId();
  const failed = (code: keyof typeof messages.errors.sentences): void =>
    setChosen({ kind: "failed", reason: code === "bad_import" ? text.unknown : messages.errors.sentences[code] });
  const choose = async (file: File): Promise<void> => {
    if (file.size > limits.configMaxChars) return failed("too_large");
    await look({ text: await file.text() });
  };
  const look = async (source: ImportSource): Promise<void> => {
    const answer = await call("config.import_preview", source);
    if (answer.ok) setChosen({ kind: "found", source, found: answer.value });
    else failed(answer.error.code);
  };
  const take = async (source: ImportSource): Promise<void> => {
    // A second click would add the connections again.
    setChosen(null);
    const answer = await call("config.import", source);
    if (answer.ok) setChosen({ kind: "done" });
    else failed(answer.error.code);
  };
  const save = async (): Promise<void> => {
    const answer = await call("config.export", {});
    if (answer.ok) saveFile(answer.value.text, answer.value.name, "application/yaml");
    else failed(answer.error.code);
  };
  return (
    <section aria-label={text.title} className="mb-8">
      <SectionTitle title={text.title} />
      <p className="mb-3 max-w-[64ch] text-ink-muted">{text.note}</p>
      <input
        ref={input}
        id={inputId}
        type="file"
        accept=".yaml,.yml,.toml,.json"
        aria-label={text.choose}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file !== undefined) void choose(file);
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => input.current?.click()}>{text.choose}</Button>
        <Button look="quiet" onClick={() => void save()}>
          {text.export}
        </Button>
      </div>
      <FilesHere onLook={(file) => void look({ file })} />
      <div role="status">
        {chosen?.kind === "failed" && <p className="mt-3 text-danger">{chosen.reason}</p>}
        {chosen?.kind === "done" && <p className="mt-3">{text.done}</p>}
        {chosen?.kind === "found" && (
          <Preview found={chosen.found} onTake={() => void take(chosen.source)} onCancel={() => setChosen(null)} />
        )}
      </div>
    </section>
  );
}

/** The files of other tools in their usual places; nothing if there are none. */
function FilesHere({ onLook }: { readonly onLook: (file: ForeignConfigFile) => void }) {
  const text = useFullMessages().config.import;
  const { data } = useCommandQuery("config.find_imports", {});
  if (data === undefined || data.files.length === 0) return null;
  return (
    <>
      <h3 className="mt-4 mb-1 text-small text-ink-muted">{text.onThisMachine}</h3>
      <ul
        aria-label={text.onThisMachine}
        className="divide-y divide-line rounded-card border border-line bg-raised text-base"
      >
        {data.files.map(({ file, path }) => (
          <li key={file} className="flex min-h-11 items-center gap-3 px-4 py-1.5">
            <span className="shrink-0">{text.formats[file]}</span>
            <code className="min-w-0 flex-1 cut font-mono text-code text-ink-muted">{path}</code>
            <Button look="quiet" aria-label={text.lookAt(path)} onClick={() => onLook(file)}>
              {text.look}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

interface PreviewProps {
  readonly found: ConfigImport;
  readonly onTake: () => void;
  readonly onCancel: () => void;
}

/** Preview: current and new value of each setting, and the connections to be added. */
function Preview({ found, onTake, onCancel }: PreviewProps) {
  const messages = useFullMessages();
  const text = messages.config.import;
  const now = useServerState("settings");
  if (now === undefined) return null;
  const named = Object.keys(found.settings).filter(isSettingName);
  const changes = named
    .map((name) => ({
      name,
      from: formatConfigValue(name, now[name]),
      to: formatConfigValue(name, found.settings[name]),
    }))
    .filter(({ from, to }) => from !== to);
  const same = named.length - changes.length;
  return (
    <div className="mt-3 rounded-card border border-line bg-raised p-4">
      <p className="font-medium">{sourceText(found, messages)}</p>
      {changes.length > 0 && <SettingChanges changes={changes} />}
      {found.connections.length > 0 && (
        <>
          <h3 className="mt-3 mb-1 text-small text-ink-muted">{text.connections}</h3>
          <ul className="grid gap-1">
            {found.connections.map((connection) => (
              <li key={`${connection.name} ${connection.baseUrl}`} className="flex min-w-0 flex-wrap gap-x-2">
                <span>{connection.name}</span>
                <span className="min-w-0 text-ink-muted [overflow-wrap:anywhere]">{connection.baseUrl}</span>
                <span className="text-ink-muted">{connection.hasKey ? text.withKey : text.withoutKey}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {found.models.length > 0 && (
        <>
          <h3 className="mt-3 mb-1 text-small text-ink-muted">{text.models}</h3>
          <ul className="grid gap-1">
            {found.models.map(({ name, settings }) => (
              <li key={name} className="flex min-w-0 flex-wrap gap-x-2 [overflow-wrap:anywhere]">
                <code className="font-mono text-code">{name}</code>
                <span className="min-w-0 text-ink-muted">{modelSettingsText(settings)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {found.noSandbox === true && <p className="mt-3 text-ask">{text.noSandbox}</p>}
      {same > 0 && <p className="mt-3 text-small text-ink-muted">{text.same(same)}</p>}
      {found.ignored.length > 0 && (
        <p className="mt-3 text-small text-ink-muted [overflow-wrap:anywhere]">
          {text.ignored(found.ignored.join(", "))}
        </p>
      )}
      <div className="mt-4 flex gap-2">
        {changes.length + found.connections.length + found.models.length > 0 && (
          <Button look="primary" onClick={onTake}>
            {text.take}
          </Button>
        )}
        <Button onClick={onCancel}>{text.cancel}</Button>
      </div>
    </div>
  );
}

/** Formats options as `models.yaml` has them: "context_window: 16384, think: high". */
const modelSettingsText = (settings: ConfigImport["models"][number]["settings"]): string =>
  modelSettingNames
    .filter((name) => settings[name] !== undefined)
    .map((name) => `${modelSettingTable[name].key}: ${String(settings[name])}`)
    .join(", ");

interface SettingChange {
  readonly name: keyof Settings;
  readonly from: string;
  readonly to: string;
}

/** Three columns; on a phone the values wrap below the key. */
function SettingChanges({ changes }: { readonly changes: readonly SettingChange[] }) {
  const text = useFullMessages().config.import;
  return (
    <table className="mt-2 w-full text-left max-tablet:block">
      <thead className="text-small text-ink-muted max-tablet:sr-only">
        <tr>
          {[text.setting, text.now, text.after].map((name) => (
            <th key={name} scope="col" className="w-1/3 py-1 pr-4 font-normal">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-tablet:block">
        {changes.map(({ name, from, to }) => (
          <tr
            key={name}
            className="border-t border-line align-top max-tablet:flex max-tablet:flex-wrap max-tablet:py-1.5"
          >
            <th scope="row" className="py-1.5 pr-4 font-normal max-tablet:w-full max-tablet:py-0">
              <code className="font-mono text-code">{formatConfigKey(name)}</code>
            </th>
            <td className="py-1.5 pr-4 text-ink-muted [overflow-wrap:anywhere] max-tablet:py-0 max-tablet:pr-0 max-tablet:after:mx-2 max-tablet:after:content-['→']">
              {from === "" ? text.empty : from}
            </td>
            <td className="py-1.5 font-medium [overflow-wrap:anywhere] max-tablet:py-0">
              {to === "" ? text.empty : to}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Names the file's format, or all formats it matches. */
function sourceText({ formats }: ConfigImport, { config: { import: text }, figures }: FullMessages): string {
  const names = formats.map((format) => text.formats[format]);
  if (names.length === 1) return text.found(names.join(""));
  return text.foundAny(new Intl.ListFormat(figures.locale, { type: "disjunction" }).format(names));
}
