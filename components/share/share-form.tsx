"use client";
/** Form of a new link: content, outputs and duration. */
import { useId, useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { Share } from "@/lib/protocol/share";
import { Button } from "../ui/controls/button";
import { Segmented } from "../ui/controls/segmented";
import { Switch } from "../ui/controls/switch";
import { useSharingMessages } from "../messages/sharing-messages";
import { useMessages } from "../messages/messages";

export interface ShareOptions {
  readonly kind: Share["kind"];
  readonly outputs: boolean;
  readonly hours: number;
}

interface ShareFormProps {
  /** Resolves with null after success. */
  readonly onCreate: (options: ShareOptions) => Promise<AgentError | null>;
}

const shareKinds = ["live", "frozen"] as const;
const shareDurations = [
  { value: "hour", hours: 1 },
  { value: "workday", hours: 8 },
  { value: "day", hours: 24 },
  { value: "week", hours: 168 },
  { value: "month", hours: 720 },
] as const;
type ShareDuration = (typeof shareDurations)[number]["value"];

export function ShareForm({ onCreate }: ShareFormProps) {
  const messages = useMessages();
  const [kind, setKind] = useState<Share["kind"]>("live");
  const [outputs, setOutputs] = useState(true);
  const [duration, setDuration] = useState<ShareDuration>("workday");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<AgentError | null>(null);
  const id = useId();
  const { share } = useSharingMessages();
  const submit = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    const hours = shareDurations.find(({ value }) => value === duration)?.hours ?? 1;
    setError(await onCreate({ kind, outputs, hours }));
    setBusy(false);
  };
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <fieldset>
        <legend className="mb-1.5 font-medium">{share.kind}</legend>
        <div className="grid grid-cols-2 gap-2">
          {shareKinds.map((value) => (
            <label
              key={value}
              className="relative rounded-card border border-line px-3 py-2.5 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name={`${id}-kind`}
                checked={kind === value}
                onChange={() => setKind(value)}
                aria-describedby={`${id}-${value}`}
                className="absolute inset-0 appearance-none outline-none"
              />
              <span className="font-medium">{share.kinds[value].name}</span>
              <span id={`${id}-${value}`} className="block text-small text-ink-muted">
                {share.kinds[value].note}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="flex items-start gap-4">
        <div className="min-w-0 flex-1">
          <span id={`${id}-outputs`} className="font-medium">
            {share.outputs}
          </span>
          <p id={`${id}-outputs-note`} className="text-small text-ink-muted">
            {share.outputsNote}
          </p>
        </div>
        <Switch
          on={outputs}
          onChange={setOutputs}
          aria-labelledby={`${id}-outputs`}
          aria-describedby={`${id}-outputs-note`}
          className="mt-0.5"
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">{share.hours}</span>
        <Segmented
          name={share.hours}
          value={duration}
          options={shareDurations.map(({ value }) => ({ value, label: share.durations[value] }))}
          onChange={setDuration}
        />
      </div>
      <p className="rounded-card bg-ask-soft px-3 py-2 text-ink">{share.promise}</p>
      {error !== null && (
        <p role="alert" className="text-danger">
          {messages.errors.sentences[error.code]}
        </p>
      )}
      <Button type="submit" look="primary" busy={isBusy} className="justify-self-end max-tablet:w-full">
        {share.create}
      </Button>
    </form>
  );
}
