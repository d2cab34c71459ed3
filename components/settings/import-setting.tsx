"use client";
/** Settings and connections from a file of another tool or another gopi-web: shown first, then taken over. */
import { useId, useRef, useState } from "react";
import { configKeyText } from "@/lib/config-keys";
import type { ConfigImport } from "@/lib/foreign-config";
import { limits, type Settings, settingsDefaults } from "@/lib/settings";
import { useClient } from "../state/client";
import { Button } from "../ui/button";
import { saveFile } from "../ui/save-file";
import { useFullWords } from "../words/full-words";

/** A file that was read: what it would change, or why it cannot be used. */
type Chosen =
  | { readonly kind: "found"; readonly text: string; readonly found: ConfigImport }
  | { readonly kind: "done"; readonly found: ConfigImport }
  | { readonly kind: "failed"; readonly reason: string };

export function ImportSetting() {
  const words = useFullWords();
  const text = words.config.import;
  const { call } = useClient();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const inputId = useId();
  const failed = (code: keyof typeof words.errors.sentences): void =>
    setChosen({ kind: "failed", reason: code === "bad_import" ? text.unknown : words.errors.sentences[code] });
  const choose = async (file: File): Promise<void> => {
    if (file.size > limits.configMaxChars) return failed("too_large");
    const content = await file.text();
    const answer = await call("config.import_preview", { text: content });
    if (answer.ok) setChosen({ kind: "found", text: content, found: answer.value });
    else failed(answer.error.code);
  };
  const take = async (content: string): Promise<void> => {
    const answer = await call("config.import", { text: content });
    if (answer.ok) setChosen({ kind: "done", found: answer.value });
    else failed(answer.error.code);
  };
  const save = async (): Promise<void> => {
    const answer = await call("config.export", {});
    if (answer.ok) saveFile(answer.value.text, answer.value.name, "application/yaml");
    else failed(answer.error.code);
  };
  return (
    <section aria-label={text.title} className="mb-8">
      <h2 className="mb-1 text-title font-semibold">{text.title}</h2>
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
      <div role="status">
        {chosen?.kind === "failed" && <p className="mt-3 text-danger">{chosen.reason}</p>}
        {chosen?.kind === "done" && <p className="mt-3">{text.done(text.formats[chosen.found.format])}</p>}
        {chosen?.kind === "found" && (
          <Preview found={chosen.found} onTake={() => void take(chosen.text)} onCancel={() => setChosen(null)} />
        )}
      </div>
    </section>
  );
}

interface PreviewProps {
  readonly found: ConfigImport;
  readonly onTake: () => void;
  readonly onCancel: () => void;
}

function Preview({ found, onTake, onCancel }: PreviewProps) {
  const text = useFullWords().config.import;
  return (
    <div className="mt-3 rounded-card border border-line bg-raised p-4">
      <p className="font-medium">{text.found(text.formats[found.format])}</p>
      <ul className="my-2 grid gap-1">
        {Object.entries(found.settings).map(([name, value]) => (
          <li key={name} className="flex min-w-0 gap-2">
            <code className="shrink-0 font-mono text-code text-ink-muted">
              {isSetting(name) && configKeyText(name)}
            </code>
            <span className="cut">{Array.isArray(value) ? value.join(", ") : String(value)}</span>
          </li>
        ))}
        {found.connections.map((connection) => (
          <li key={`${connection.name} ${connection.baseUrl}`} className="flex min-w-0 flex-wrap gap-x-2">
            <span>{text.connection(connection.name)}</span>
            <span className="cut text-ink-muted">{connection.baseUrl}</span>
            <span className="text-ink-muted">{connection.hasKey ? text.withKey : text.withoutKey}</span>
          </li>
        ))}
      </ul>
      {found.ignored.length > 0 && (
        <p className="mb-3 text-small text-ink-muted [overflow-wrap:anywhere]">
          {text.ignored(found.ignored.join(", "))}
        </p>
      )}
      <div className="flex gap-2">
        <Button look="primary" onClick={onTake}>
          {text.take}
        </Button>
        <Button onClick={onCancel}>{text.cancel}</Button>
      </div>
    </div>
  );
}

const isSetting = (name: string): name is keyof Settings => Object.hasOwn(settingsDefaults, name);
