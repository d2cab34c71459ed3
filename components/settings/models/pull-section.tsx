"use client";
/** Model download: name field, suggestions, and the downloads that run or can be resumed. */
import { X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { isSameModelName } from "@/lib/models/model-names";
import type { ModelServerState, PullState } from "@/lib/models/models";
import { suggestedModels } from "@/lib/models/suggested-models";
import { useClient } from "../../state/client";
import { useServerState } from "../../state/use-server-state";
import { Button } from "../../ui/controls/button";
import { IconButton } from "../../ui/controls/icon-button";
import { Progress } from "../../ui/indicators/meter";
import { TextField } from "../../ui/controls/text-field";
import { useFullMessages } from "../../messages/full-messages";
import { Disclosure, RawText } from "../disclosure";
import { joinSentences } from "../../messages/join-sentences";
import { transferRateTexts } from "../../messages/transfer-rate-texts";
import { useCallWithToast } from "../use-call-with-toast";
import { isPulling, visiblePulls } from "./model-facts";

/** Names the server accepts. */
const modelNamePattern = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,198}$/;

export function PullSection({ server }: { readonly server: ModelServerState }) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const call = useCallWithToast();
  const pulls = useServerState("pulls") ?? [];
  const [name, setName] = useState("");
  const typed = name.trim();
  const isName = modelNamePattern.test(typed);
  const isReady = server.status === "ready";
  const pull = (name: string): void => void call("models.pull", { name });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isName || !isReady) return;
    pull(typed);
    setName("");
  };
  return (
    <section aria-label={text.pullTitle} className="mt-5 grid gap-3">
      <h3 className="font-medium">{text.pullTitle}</h3>
      {visiblePulls(pulls, server.models).map((one) => (
        <PullRow key={one.name} pull={one} onResume={() => pull(one.name)} />
      ))}
      <form onSubmit={submit} className="flex max-w-120 gap-2">
        <TextField
          mono
          value={name}
          disabled={!isReady}
          invalid={name !== "" && !isName}
          aria-label={text.pullName}
          placeholder={text.pullName}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={!isName || !isReady}>
          {messages.models.pull}
        </Button>
      </form>
      <p className="-mt-1.5 text-small text-ink-muted">{isReady ? text.pullNote : text.unreachablePull}</p>
      {isReady && <Suggestions server={server} pulls={pulls} onPull={pull} />}
    </section>
  );
}

interface SuggestionsProps {
  readonly server: ModelServerState;
  readonly pulls: readonly PullState[];
  readonly onPull: (name: string) => void;
}

/** Lists the suggested models that are neither installed nor being downloaded. */
function Suggestions({ server, pulls, onPull }: SuggestionsProps) {
  const messages = useFullMessages();
  const open = suggestedModels.filter(
    ({ name }) =>
      !server.models.some((model) => isSameModelName(model.name, name)) &&
      !visiblePulls(pulls, server.models).some((pull) => isSameModelName(pull.name, name)),
  );
  const isFirst = server.models.length === 0 && !pulls.some(isPulling);
  if (open.length === 0) return null;
  return (
    <ul
      aria-label={messages.models.suggested}
      className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised"
    >
      {open.map((model, index) => (
        <li key={model.name} className="flex items-center gap-3 py-2 pr-2 pl-3.5">
          <div className="min-w-0 flex-1">
            <p className="cut font-mono text-code font-medium">{model.name}</p>
            <p className="text-small text-ink-muted">
              {messages.models.notes[model.note]} · {messages.models.size(model.downloadGb)} ·{" "}
              {messages.models.memory(model.memoryGb)}
            </p>
          </div>
          <Button look={isFirst && index === 0 ? "primary" : "plain"} size="small" onClick={() => onPull(model.name)}>
            {messages.models.pull}
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface PullRowProps {
  readonly pull: PullState;
  readonly onResume: () => void;
}

function PullRow({ pull, onResume }: PullRowProps) {
  const messages = useFullMessages();
  const call = useCallWithToast();
  const { serverState } = useClient();
  const { name } = pull;
  const isOn = isPulling(pull);
  const hide = (): void => {
    const { pulls = [] } = serverState.get();
    serverState.merge({ pulls: pulls.filter((one) => one.name !== name) });
  };
  return (
    <div className="rounded-card border border-line bg-raised py-2.5 pr-2.5 pl-3.5">
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1 cut font-mono text-code font-medium" title={name}>
          {name}
        </p>
        {isOn ? (
          <Button size="small" onClick={() => void call("models.cancel_pull", { name })}>
            {messages.models.cancel}
          </Button>
        ) : (
          <>
            <Button size="small" onClick={onResume}>
              {pull.completedBytes > 0 ? messages.models.resume : messages.models.retry}
            </Button>
            <IconButton icon={X} name={messages.settings.models.hide} size="small" onClick={hide} />
          </>
        )}
      </div>
      {isOn && (
        <Progress
          className="my-1.5"
          label={messages.models.pulling(name)}
          share={pull.totalBytes === 0 ? null : pull.completedBytes / pull.totalBytes}
        />
      )}
      <PullStatusText pull={pull} />
    </div>
  );
}

/** Progress, speed and remaining time of a download, or why it ended. */
function PullStatusText({ pull }: { readonly pull: PullState }) {
  const messages = useFullMessages();
  const { models, figures } = messages;
  const [done, total] = [figures.bytes(pull.completedBytes), figures.bytes(pull.totalBytes)];
  if (pull.status === "failed")
    return (
      <div className="text-small">
        <p role="alert" className="text-danger">
          {joinSentences(messages, [
            models.pullFailed(pull.name),
            pull.error === undefined ? "" : messages.errors.sentences[pull.error.code],
          ])}
        </p>
        {pull.error?.detail !== undefined && (
          <Disclosure title={messages.common.details} className="mt-1">
            <RawText text={pull.error.detail} />
          </Disclosure>
        )}
      </div>
    );
  if (pull.status === "cancelled")
    return <p className="text-small text-ink-muted">{messages.settings.models.stoppedAt(done, total)}</p>;
  const parts = [
    pull.totalBytes === 0 ? messages.common.loading : models.ofTotal(done, total),
    ...(pull.status === "verifying" ? [models.verifying] : []),
    ...(pull.status === "downloading" ? transferRateTexts(pull, messages) : []),
  ];
  return <p className="text-small text-ink-muted tabular-nums">{parts.join(" · ")}</p>;
}
