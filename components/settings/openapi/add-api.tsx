"use client";
/** Dialog that adds an API: from an address, a file or a text. */
import { type FormEvent, useId, useRef, useState } from "react";
import type { AgentError, Result } from "@/lib/events/error";
import type { ApiView } from "@/lib/tools/openapi";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { Segmented } from "../../ui/controls/segmented";
import { TextArea } from "../../ui/controls/text-area";
import { TextField } from "../../ui/controls/text-field";
import { Dialog } from "../../ui/overlays/dialog";
import { apiPartMaxChars } from "@/lib/protocol/openapi-commands";
import { type AppClient, useClient } from "../../state/client";
import { performCommand } from "../../state/command-answers";
import { randomText } from "../../state/new-id";
import { formatItemAddress, openItem } from "../item-section/open-item";
import { apiErrorText, apiReloadErrorText } from "./api-error-text";

type Source = "url" | "file" | "paste";
const sources: readonly Source[] = ["url", "file", "paste"];

const exampleUrl = "https://petstore3.swagger.io/api/v3/openapi.json";

interface AddApiProps {
  readonly onClose: () => void;
  /** The API whose document is replaced; absent = a new one. */
  readonly api?: ApiView;
}

/** Sends a text in parts; resolves with the id of the upload. */
async function uploadText(call: AppClient["call"], text: string): Promise<Result<string>> {
  const upload = randomText();
  for (let part = 0; part === 0 || part * apiPartMaxChars < text.length; part += 1) {
    const piece = text.slice(part * apiPartMaxChars, (part + 1) * apiPartMaxChars);
    const sent = await call("openapi.upload", { upload, part, text: piece });
    if (!sent.ok) return sent;
  }
  return { ok: true, value: upload };
}

export function AddApi({ onClose, api }: AddApiProps) {
  const messages = useFullMessages();
  const { apis: text, common } = messages;
  const [source, setSource] = useState<Source>(api === undefined ? "url" : "file");
  const [typed, setTyped] = useState<Readonly<Record<Source, string>>>({ url: "", file: "", paste: "" });
  const [error, setError] = useState<AgentError | null>(null);
  const [isReading, setIsReading] = useState(false);
  const formId = useId();
  const client = useClient();
  const value = typed[source];
  const read = async (content: string, name?: string): Promise<Result<ApiView>> => {
    if (source === "url") return performCommand(client, "openapi.add", { url: content });
    const sent = await uploadText(client.call, content);
    if (!sent.ok) return sent;
    const named = { upload: sent.value, ...(name === undefined ? {} : { name }) };
    return api === undefined
      ? performCommand(client, "openapi.add", named)
      : performCommand(client, "openapi.reload", { api: api.id, ...named });
  };
  const add = async (content: string, name?: string): Promise<void> => {
    setIsReading(true);
    setError(null);
    const added = await read(content, name);
    setIsReading(false);
    if (!added.ok) return setError(added.error);
    onClose();
    openItem(formatItemAddress("api", added.value.id));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void add(value);
  };
  return (
    <Dialog
      wide
      title={api === undefined ? text.addTitle : text.newText}
      closeName={common.close}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          {source !== "file" && (
            <Button type="submit" form={formId} look="primary" busy={isReading} disabled={value.trim() === ""}>
              {text.addNow}
            </Button>
          )}
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="grid justify-items-start gap-3">
        <Segmented
          name={text.source}
          value={source}
          options={sources
            .filter((one) => api === undefined || one !== "url")
            .map((one) => ({ value: one, label: text.sources[one] }))}
          onChange={(next) => {
            setSource(next);
            setError(null);
          }}
        />
        {source === "url" && (
          <div className="grid w-full gap-1">
            <TextField
              mono
              inputMode="url"
              aria-label={text.urlField}
              placeholder={exampleUrl}
              value={value}
              maxLength={4_000}
              onChange={(event) => setTyped({ ...typed, url: event.target.value })}
            />
            <p className="text-small text-ink-muted">{text.urlNote}</p>
          </div>
        )}
        {source === "paste" && (
          <div className="w-full">
            <TextArea
              rows={10}
              aria-label={text.pasteField}
              value={value}
              onChange={(event) => setTyped({ ...typed, paste: event.target.value })}
            />
          </div>
        )}
        {source === "file" && <ChooseFile busy={isReading} onChoose={(content, name) => void add(content, name)} />}
        <p role="status" className="text-danger empty:hidden [overflow-wrap:anywhere]">
          {error !== null && (api === undefined ? apiErrorText : apiReloadErrorText)(error, messages)}
        </p>
        {isReading && <p className="text-ink-muted">{text.reading}</p>}
      </form>
    </Dialog>
  );
}

interface ChooseFileProps {
  readonly busy: boolean;
  readonly onChoose: (content: string, name: string) => void;
}

function ChooseFile({ busy, onChoose }: ChooseFileProps) {
  const { apis: text } = useFullMessages();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="grid justify-items-start gap-1.5">
      <input
        ref={input}
        type="file"
        accept=".json,.yaml,.yml"
        aria-label={text.chooseFile}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file !== undefined) void file.text().then((content) => onChoose(content, file.name));
        }}
      />
      <Button busy={busy} onClick={() => input.current?.click()}>
        {text.chooseFile}
      </Button>
      <p className="text-small text-ink-muted">{text.fileNote}</p>
    </div>
  );
}
