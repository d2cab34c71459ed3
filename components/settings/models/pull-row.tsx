"use client";
/** A download that runs or can be resumed. */
import { X } from "lucide-react";
import type { PullState } from "@/lib/models/models";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { IconButton } from "../../ui/controls/icon-button";
import { Progress } from "../../ui/indicators/meter";
import { useFullMessages } from "../../messages/full-messages";
import { Disclosure, RawText } from "../item-section/disclosure";
import { joinSentences } from "../../messages/join-sentences";
import { transferRateTexts } from "../../messages/transfer-rate-texts";
import { useChange } from "../../state/use-change";
import { isPulling } from "./model-facts";

interface PullRowProps {
  readonly pull: PullState;
  readonly onResume: () => void;
}

export function PullRow({ pull, onResume }: PullRowProps) {
  const messages = useFullMessages();
  const { perform } = useChange("toast");
  const { serverState } = useClient();
  const { name, connection } = pull;
  const isOn = isPulling(pull);
  const hide = (): void => {
    const { pulls = [] } = serverState.get();
    serverState.merge({ pulls: pulls.filter((one) => one.name !== name || one.connection !== connection) });
  };
  return (
    <div className="rounded-card border border-line bg-raised py-2.5 pr-2.5 pl-3.5">
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1 cut font-mono text-code font-medium" title={name}>
          {name}
        </p>
        {isOn ? (
          <Button size="small" onClick={() => void perform("models.cancel_pull", { name, connection })}>
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
