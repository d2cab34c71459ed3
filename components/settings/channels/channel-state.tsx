"use client";
/** The connection of a channel in words, with the next step. */
import type { ChannelView } from "@/lib/channels/channels";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { StatusDot } from "../../ui/indicators/status-dot";
import { useNow } from "../../ui/text/use-now";
import { ChangeError } from "../item-section/change-error";
import { useChange } from "../../state/use-change";
import { channelProblemText, mayTakeOver } from "./channel-problem-text";

const dots = {
  off: "offline",
  connecting: "running",
  online: "running",
  waiting: "waiting",
  stopped: "error",
} as const;

interface ChannelStateProps {
  readonly channel: ChannelView;
}

export function ChannelState({ channel }: ChannelStateProps) {
  const { connection } = channel;
  return (
    <div className="grid gap-2">
      <p role="status" className="flex max-w-[68ch] gap-2 text-ink-muted">
        <span className="flex h-[1lh] items-center">
          <StatusDot status={dots[connection.kind]} />
        </span>
        <span className="min-w-0">
          <StateText channel={channel} />
        </span>
      </p>
      {connection.kind === "stopped" && mayTakeOver(connection.error) && <TakeOver channel={channel} />}
    </div>
  );
}

function StateText({ channel: { token, connection } }: ChannelStateProps) {
  const messages = useFullMessages();
  const { state } = messages.channels;
  switch (connection.kind) {
    case "off":
      return token === "none" ? state.noToken : state.off;
    case "connecting":
      return state.connecting;
    case "online":
      return <span className="text-ink">{state.online(connection.name)}</span>;
    case "waiting":
      return (
        <>
          {channelProblemText(connection.error, messages)} <NextTry at={connection.retryAt} />
        </>
      );
    case "stopped":
      return <span className="text-danger">{channelProblemText(connection.error, messages)}</span>;
  }
}

function NextTry({ at }: { readonly at: number }) {
  const { channels: text, figures } = useFullMessages();
  const left = Math.ceil((at - useNow(1_000)) / 1_000) * 1_000;
  return (
    <span className="tabular-nums" aria-live="off">
      {left > 0 ? text.state.nextTry(figures.duration(left)) : text.state.nextTryNow}
    </span>
  );
}

function TakeOver({ channel: { kind } }: ChannelStateProps) {
  const { channels: text } = useFullMessages();
  const change = useChange("inline");
  return (
    <div>
      <Button busy={change.isBusy} onClick={() => void change.perform("channels.set", { kind, takesOver: true })}>
        {text.takeOver}
      </Button>
      <ChangeError error={change.error} />
    </div>
  );
}
