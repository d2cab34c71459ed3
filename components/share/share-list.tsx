"use client";
/** List of active links: kind, expiry, viewers, and a button that revokes the link. */
import { useEffect, useState } from "react";
import type { Share } from "@/lib/protocol/share";
import { Button } from "../ui/controls/button";
import { Chip } from "../ui/indicators/chip";
import { Time } from "../ui/text/time";
import { useSharingMessages } from "../messages/sharing-messages";
import { useMessages } from "../messages/messages";
import { timeLeft } from "./time-left";

interface ShareListProps {
  readonly title: string;
  readonly shares: readonly Share[];
  readonly onRevoke: (share: Share) => void;
  /** Opens the session of a link; absent = the links belong to the current session. */
  readonly onShow?: (share: Share) => void;
}

const tickMs = 15_000;
/** Longer viewer lists scroll. */
const maxVisibleViewers = 6;

export function ShareList({ title, shares, onRevoke, onShow }: ShareListProps) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 font-medium">{title}</h3>
      <ul className="divide-y divide-line rounded-card border border-line">
        {shares.map((share) => (
          <ShareRow
            key={share.id}
            share={share}
            now={now}
            onRevoke={() => onRevoke(share)}
            onShow={onShow === undefined ? undefined : () => onShow(share)}
          />
        ))}
      </ul>
    </section>
  );
}

interface ShareRowProps {
  readonly share: Share;
  /** ms epoch */
  readonly now: number;
  readonly onRevoke: () => void;
  readonly onShow?: () => void;
}

function ShareRow({ share, now, onRevoke, onShow }: ShareRowProps) {
  const { figures } = useMessages();
  const outside = useSharingMessages();
  const text = outside.share;
  const { viewers } = share;
  const facts = [
    timeLeft(share.expiresAt - now, outside),
    text.madeAt(figures.dateTime(share.createdAt)),
    ...(share.outputs ? [] : [text.outputsOff]),
    viewers.length === 0 ? text.noViewers : text.looking(viewers.length),
  ];
  return (
    <li data-share={share.id} className="px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Chip tone={share.kind === "live" ? "accent" : "plain"}>{text.kinds[share.kind].name}</Chip>
        <span
          className="min-w-0 flex-1 text-small text-ink-muted tabular-nums"
          title={figures.dateTime(share.expiresAt)}
        >
          {facts.join(" · ")}
        </span>
        {onShow !== undefined && (
          <Button look="quiet" size="small" onClick={onShow}>
            {text.show}
          </Button>
        )}
        <Button look="danger" size="small" onClick={onRevoke}>
          {text.revoke}
        </Button>
      </div>
      {viewers.length > 0 && (
        <ul
          aria-label={text.viewers}
          tabIndex={viewers.length > maxVisibleViewers ? 0 : undefined}
          className="mt-1 grid max-h-32 gap-0.5 overflow-y-auto text-small"
        >
          {viewers.map((viewer) => (
            <li key={viewer.id} className="flex items-baseline gap-2">
              <span className="min-w-0 cut">{viewer.name}</span>
              <span className="shrink-0 font-mono text-ink-muted">{viewer.address}</span>
              <Time at={viewer.since} figures={figures} className="ml-auto shrink-0 text-ink-muted" />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
