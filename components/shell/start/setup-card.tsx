"use client";
/** The card of a start page without a model: a server that was found, and the other ways to a model. One filled button. */
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import type { ModelServerState } from "@/lib/models/models";
import { isServerAddress } from "@/lib/models/server-address";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { withBasePath } from "../../state/base-path";
import { toastError } from "../notices/toast-error";
import { addFoundServer } from "./add-found-server";
import { RunHereRow } from "./run-here-row";
import { SetupRow, type SetupRowProps } from "./setup-row";
import { TourRow } from "./tour-row";

const installHref = "https://ollama.com/download";
const addressMaxChars = 300;

export function SetupCard({ server }: { readonly server: ModelServerState }) {
  const { firstRun } = useFullMessages();
  const { openAi, canStart } = server;
  const ollama = <OllamaRow server={server} />;
  // An installed Ollama needs no download.
  return (
    <section
      aria-label={firstRun.title}
      className="mt-3 divide-y divide-line rounded-card border border-line bg-raised text-ink"
    >
      {openAi !== undefined && <FoundServerRow server={server} address={openAi} />}
      {openAi === undefined && canStart && ollama}
      <RunHereRow isMain={openAi === undefined && !canStart} />
      {openAi === undefined && !canStart && ollama}
      <OtherServerRow />
      <TourRow />
    </section>
  );
}

function FoundServerRow({ server, address }: { readonly server: ModelServerState; readonly address: string }) {
  const client = useClient();
  const messages = useFullMessages();
  const { firstRun } = messages;
  const [busy, setBusy] = useState(false);
  const use = async (): Promise<void> => {
    setBusy(true);
    const problem = await addFoundServer(client, address);
    if (problem !== null) toastError(client, messages, problem);
    setBusy(false);
  };
  return (
    <AddressRow
      server={server}
      title={firstRun.found(new URL(address).host)}
      note={firstRun.foundNote}
      actions={
        <Button look="primary" busy={busy} onClick={() => void use()}>
          {firstRun.useFound}
        </Button>
      }
    />
  );
}

function OllamaRow({ server }: { readonly server: ModelServerState }) {
  const client = useClient();
  const messages = useFullMessages();
  const { models, firstRun } = messages;
  const [busy, setBusy] = useState<"models.start" | "models.refresh" | null>(null);
  const ask = async (command: "models.start" | "models.refresh"): Promise<void> => {
    setBusy(command);
    const answer = await client.call(command, {});
    setBusy(null);
    if (answer.ok) client.serverState.merge({ models: answer.value });
    else toastError(client, messages, answer.error);
  };
  return (
    <AddressRow
      server={server}
      title={firstRun.ollama}
      note={serverProblem(server, messages)}
      actions={
        <>
          {server.canStart && (
            <Button look="primary" busy={busy === "models.start"} onClick={() => void ask("models.start")}>
              {busy === "models.start" ? firstRun.starting : models.start}
            </Button>
          )}
          <Button busy={busy === "models.refresh"} onClick={() => void ask("models.refresh")}>
            {models.retry}
          </Button>
          {!server.canStart && (
            <a
              href={installHref}
              target="_blank"
              rel="noopener noreferrer"
              className="inline-flex h-8 items-center rounded-control px-3 font-medium text-ink-muted hover:bg-hover hover:text-ink max-tablet:h-11"
            >
              {firstRun.install}
            </a>
          )}
        </>
      }
    />
  );
}

const serverProblem = ({ host, error }: ModelServerState, { firstRun, errors }: FullMessages): string =>
  error !== undefined && error.code !== "server_unreachable"
    ? errors.sentences[error.code]
    : firstRun.unreachable(host);

interface AddressRowProps extends Omit<SetupRowProps, "children"> {
  readonly server: ModelServerState;
  readonly actions: ReactNode;
}

/** A row whose server can be searched for at another address. */
function AddressRow({ server, actions, ...row }: AddressRowProps) {
  const { firstRun } = useFullMessages();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div>
      <SetupRow {...row}>
        {actions}
        {!isAsking && (
          <Button look="quiet" onClick={() => setIsAsking(true)}>
            {firstRun.address}
          </Button>
        )}
      </SetupRow>
      {isAsking && <AddressField start={server.host} onClose={() => setIsAsking(false)} />}
    </div>
  );
}

function AddressField({ start, onClose }: { readonly start: string; readonly onClose: () => void }) {
  const client = useClient();
  const messages = useFullMessages();
  const [address, setAddress] = useState(start);
  const [refused, setRefused] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const problemId = useId();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const text = address.trim();
    if (text === "") return;
    if (!isServerAddress(text)) return setRefused(text);
    setBusy(true);
    const answer = await client.call("settings.write", { patch: { ollamaHost: text } });
    setBusy(false);
    if (answer.ok) onClose();
    else toastError(client, messages, answer.error);
  };
  return (
    <form
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
      className="flex flex-wrap gap-2 px-4 pb-3"
    >
      <TextField
        autoFocus
        mono
        value={address}
        maxLength={addressMaxChars}
        inputMode="url"
        aria-label={messages.firstRun.addressLabel}
        invalid={refused !== null}
        aria-describedby={refused === null ? undefined : problemId}
        onChange={(event) => {
          setAddress(event.target.value);
          setRefused(null);
        }}
        className="min-w-48 flex-1"
      />
      <Button type="submit" busy={busy}>
        {messages.firstRun.useAddress}
      </Button>
      <Button look="quiet" onClick={onClose}>
        {messages.common.cancel}
      </Button>
      {refused !== null && (
        <p id={problemId} role="alert" className="w-full text-small text-danger [overflow-wrap:anywhere]">
          {messages.firstRun.addressBad(refused)}
        </p>
      )}
    </form>
  );
}

/** Connection presets of servers that run on the user's machine. */
const otherServers = [
  { id: "lmstudio", name: "LM Studio" },
  { id: "vllm", name: "vLLM" },
  { id: "llamacpp", name: "llama.cpp" },
] as const;

function OtherServerRow() {
  const { firstRun } = useFullMessages();
  return (
    <SetupRow title={firstRun.otherServer}>
      {[...otherServers, { id: "custom", name: firstRun.anyServer }].map(({ id, name }) => (
        <a
          key={id}
          href={withBasePath(`/settings/connections#new:${id}`)}
          className="mr-2 text-accent underline-offset-2 hover:underline max-tablet:py-3"
        >
          {name}
        </a>
      ))}
    </SetupRow>
  );
}
