"use client";
/** First-run card without a model server: the problem in one sentence and its remedies. */
import { type FormEvent, useId, useState } from "react";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import type { ModelServerState } from "@/lib/models/models";
import { isServerAddress } from "@/lib/models/server-address";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { TourHint } from "./tour-hint";
import { withBasePath } from "../../state/base-path";

interface NoServerCardProps {
  readonly server: ModelServerState;
  /** The server is being started or probed. */
  readonly busy: "start" | "retry" | null;
  readonly onStart: () => void;
  readonly onRetry: () => void;
  readonly onAddress: (address: string) => void;
  /** Adds the server of another kind found at this address as a connection. */
  readonly onConnect: (baseUrl: string) => void;
  /** URL of the installation guide; opens in a new tab. */
  readonly installHref: string;
}

const addressMaxChars = 300;

export function NoServerCard({ server, busy, onStart, onRetry, onAddress, onConnect, installHref }: NoServerCardProps) {
  const messages = useFullMessages();
  const [asking, setAsking] = useState(false);
  const { models, firstRun } = messages;
  const { openAi } = server;
  return (
    <section className="mt-3 rounded-card border border-line bg-raised p-4 text-ink">
      <p className="font-medium [overflow-wrap:anywhere]">{models.unreachable(server.host)}</p>
      <p className="mt-0.5 text-ink-muted">{formatServerProblem(server, messages)}</p>
      {asking ? (
        <AddressField start={server.host} onAddress={onAddress} onCancel={() => setAsking(false)} />
      ) : (
        <div className="mt-3 flex flex-wrap gap-2">
          {openAi !== undefined && (
            <Button look="primary" onClick={() => onConnect(openAi)}>
              {firstRun.addConnection}
            </Button>
          )}
          {server.canStart && (
            <Button look="primary" busy={busy === "start"} onClick={onStart}>
              {busy === "start" ? models.starting : models.start}
            </Button>
          )}
          <Button busy={busy === "retry"} onClick={onRetry}>
            {models.retry}
          </Button>
          <Button look="quiet" onClick={() => setAsking(true)}>
            {firstRun.address}
          </Button>
          {!server.canStart && (
            <a
              href={installHref}
              target="_blank"
              rel="noopener noreferrer"
              className="inline-flex h-8 items-center rounded-control px-3 font-medium text-ink-muted hover:bg-hover hover:text-ink max-tablet:h-11"
            >
              {models.install}
            </a>
          )}
        </div>
      )}
      <p className="mt-3 flex flex-wrap gap-x-3 gap-y-1 border-t border-line pt-3 text-ink-muted">
        <span className="max-tablet:py-3">{firstRun.otherServer}</span>
        {otherServers.map(({ id, name }) => (
          <a
            key={id}
            href={withBasePath(`/settings/connections#new:${id}`)}
            className="text-accent underline-offset-2 hover:underline max-tablet:py-3"
          >
            {name}
          </a>
        ))}
        <a
          href={withBasePath("/settings/connections#new:custom")}
          className="text-accent underline-offset-2 hover:underline max-tablet:py-3"
        >
          {firstRun.anyServer}
        </a>
      </p>
      <TourHint />
    </section>
  );
}

/** Connection presets of servers that run on the user's machine. */
const otherServers = [
  { id: "lmstudio", name: "LM Studio" },
  { id: "vllm", name: "vLLM" },
  { id: "llamacpp", name: "llama.cpp" },
] as const;

function formatServerProblem({ error, openAi }: ModelServerState, { models, errors, firstRun }: FullMessages): string {
  if (openAi !== undefined) return firstRun.openAiThere(openAi);
  return error !== undefined && error.code !== "server_unreachable"
    ? errors.sentences[error.code]
    : models.unreachableNote;
}

function AddressField({
  start,
  onAddress,
  onCancel,
}: {
  readonly start: string;
  readonly onAddress: (address: string) => void;
  readonly onCancel: () => void;
}) {
  const messages = useFullMessages();
  const [address, setAddress] = useState(start);
  const [refused, setRefused] = useState<string | null>(null);
  const problemId = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const text = address.trim();
    if (text === "") return;
    if (isServerAddress(text)) onAddress(text);
    else setRefused(text);
  };
  return (
    <form onSubmit={submit} className="mt-3 flex flex-wrap gap-2">
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
      <Button type="submit" look="primary">
        {messages.firstRun.useAddress}
      </Button>
      <Button look="quiet" onClick={onCancel}>
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
