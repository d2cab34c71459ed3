"use client";
/** Shows the state of a server in words, with a dot. While it starts, the seconds count. */
import type { McpServerView, McpStatus } from "@/lib/tools/mcp";
import { useFullMessages } from "../../messages/full-messages";
import { useNow } from "../../ui/text/use-now";
import { classes } from "../../ui/theme/classes";

const dotClass: Record<McpStatus, string> = {
  unapproved: "bg-ask",
  disabled: "bg-ink-faint",
  idle: "ring-[1.5px] ring-inset ring-ink-faint",
  starting: "bg-accent animate-breathe",
  running: "bg-accent",
  failed: "bg-danger",
};

interface ServerDotProps {
  readonly status: McpStatus;
  readonly className?: string;
}

export const ServerDot = ({ status, className }: ServerDotProps) => (
  <span
    aria-hidden
    data-state={status}
    className={classes("size-2 shrink-0 rounded-full", dotClass[status], className)}
  />
);

export function ServerStatus({ server: { status, since, launch } }: { readonly server: McpServerView }) {
  const { mcp: text } = useFullMessages();
  const isAddress = launch.address !== undefined;
  if (status === "starting" && since !== undefined) return <StartingFor since={since} isAddress={isAddress} />;
  return (isAddress ? text.addressStatuses : text.statuses)[status];
}

function StartingFor({ since, isAddress }: { readonly since: number; readonly isAddress: boolean }) {
  const { mcp: text, figures } = useFullMessages();
  const now = useNow(1_000);
  const duration = figures.duration(Math.max(0, Math.round((now - since) / 1_000)) * 1_000);
  return isAddress ? text.connectingFor(duration) : text.startingFor(duration);
}
