"use client";
/** Progress of a model download. */
import { joinSentences } from "../../messages/join-sentences";
import { useMessages } from "../../messages/messages";
import { transferRateTexts } from "../../messages/transfer-rate-texts";
import type { PullState } from "@/lib/models/models";
import { Progress } from "../../ui/indicators/meter";

/** Progress bar with size, speed and remaining time. */
export function PullLine({ pull }: { readonly pull: PullState }) {
  const messages = useMessages();
  const { models, figures, errors, common } = messages;
  if (pull.status === "done") return <p className="mt-1.5 text-small text-accent">{models.pulled(pull.name)}</p>;
  if (pull.status === "cancelled" && pull.completedBytes === 0) return null;
  if (pull.status === "failed") {
    return (
      <p className="mt-1.5 text-small text-danger" title={pull.error?.detail}>
        {joinSentences(messages, [
          models.pullFailed(pull.name),
          pull.error === undefined ? "" : errors.sentences[pull.error.code],
        ])}
      </p>
    );
  }
  const share = pull.totalBytes > 0 ? pull.completedBytes / pull.totalBytes : null;
  const parts = [
    share === null
      ? common.loading
      : models.ofTotal(figures.bytes(pull.completedBytes), figures.bytes(pull.totalBytes)),
    ...(pull.status === "verifying" ? [models.verifying] : []),
    ...(pull.status === "downloading" ? transferRateTexts(pull, messages) : []),
  ];
  return (
    <div className="mt-2">
      <Progress share={share} label={models.pulling(pull.name)} />
      <p className="mt-1 text-small text-ink-muted tabular-nums">{parts.join(" · ")}</p>
    </div>
  );
}
