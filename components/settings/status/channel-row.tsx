/** Row of the status page: the connection of a channel. */
import type { ChannelView } from "@/lib/channels/channels";
import { useFullMessages } from "../../messages/full-messages";
import { channelProblemText } from "../channels/channel-problem-text";
import { StatusRow, StepLink } from "./status-row";

/** Whether the user has to do something about it; another try may need nothing. */
export const isChannelBroken = ({ connection }: ChannelView): boolean => connection.kind === "stopped";

export function ChannelRow({ channel }: { readonly channel: ChannelView }) {
  const messages = useFullMessages();
  const { channels, status } = messages;
  const { kind, connection } = channel;
  const state = connection.kind === "off" ? "off" : isChannelBroken(channel) ? "broken" : "ok";
  return (
    <StatusRow state={state} name={channels.names[kind]}>
      {connection.kind === "off" && <p>{channels.state.off}</p>}
      {connection.kind === "connecting" && <p>{channels.state.connecting}</p>}
      {connection.kind === "online" && <p>{channels.state.online(connection.name)}</p>}
      {(connection.kind === "waiting" || connection.kind === "stopped") && (
        <>
          <p className={state === "broken" ? "text-ink" : undefined}>
            {channelProblemText(connection.error, messages)}
          </p>
          <StepLink path="/settings/channels">{status.toChannels}</StepLink>
        </>
      )}
    </StatusRow>
  );
}
