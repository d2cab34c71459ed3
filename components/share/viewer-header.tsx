"use client";
/** Header of a viewer's page: session title, live or frozen, remaining time. */
import { useEffect, useState } from "react";
import type { SharedSession } from "@/lib/protocol/share";
import { StatusDot } from "../ui/indicators/status-dot";
import { useSharingMessages } from "../messages/sharing-messages";
import { useMessages } from "../messages/messages";
import { timeLeft } from "./time-left";

interface ViewerHeaderProps {
  /** null = not loaded yet */
  readonly title: string | null;
  readonly share: Pick<SharedSession, "kind" | "createdAt">;
  /** ms epoch by this machine's clock */
  readonly endsAt: number;
  /** The connection is live. */
  readonly isOnline: boolean;
}

/** The smallest displayed unit is minutes. */
const tickMs = 15_000;

export function ViewerHeader({ title, share, endsAt, isOnline }: ViewerHeaderProps) {
  const { figures } = useMessages();
  const outside = useSharingMessages();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const { viewer } = outside.share;
  const isLive = share.kind === "live";
  return (
    <header className="border-b border-line bg-surface px-4 py-2 pt-[max(8px,env(safe-area-inset-top))]">
      <div className="mx-auto max-w-[760px]">
        <h1 className="cut text-[15px] leading-5 font-semibold">
          {title === null ? " " : title === "" ? viewer.title : title}
        </h1>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-small text-ink-muted tabular-nums">
          <span data-kind={share.kind} className="flex items-center gap-1.5">
            {isLive && <StatusDot status={isOnline ? "running" : "offline"} />}
            <span className={isLive && isOnline ? "font-medium text-accent" : "font-medium text-ink"}>
              {isLive ? viewer.live : viewer.frozen(figures.dateTime(share.createdAt))}
            </span>
          </span>
          <span aria-hidden className="text-ink-faint">
            ·
          </span>
          <span>{timeLeft(endsAt - now, outside)}</span>
        </p>
      </div>
    </header>
  );
}
