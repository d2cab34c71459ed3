"use client";
/** Makes a link that pairs one person, shows it with its remaining time, and says who used it. */
import { useState } from "react";
import type { ChannelPairing, ChannelPerson, ChannelView } from "@/lib/channels/channels";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { LinkBox } from "../../ui/controls/link-box";
import { VisibleText } from "../../ui/text/visible-text";
import { useNow } from "../../ui/text/use-now";
import { ChangeError } from "../item-section/change-error";
import { ItemPart } from "../item-section/item-page";
import { useChange } from "../../state/use-change";

/** A pairing of a person, who may be paired again. */
const pairingOf = ({ id, pairedAt }: ChannelPerson): string => `${id} ${pairedAt}`;

interface OpenPairing extends ChannelPairing {
  /** Pairings that existed when it was made. */
  readonly before: readonly string[];
}

export function PairingPart({ channel }: { readonly channel: ChannelView }) {
  const { channels: text, common } = useFullMessages();
  const change = useChange("inline");
  const [open, setOpen] = useState<OpenPairing | null>(null);
  const { kind, people, connection } = channel;
  const paired = open === null ? undefined : people.find((person) => !open.before.includes(pairingOf(person)));
  const isOnline = connection.kind === "online";
  const make = async (): Promise<void> => {
    const pairing = await change.perform("channels.pair", { kind });
    if (pairing !== undefined) setOpen({ ...pairing, before: people.map(pairingOf) });
  };
  return (
    <ItemPart title={text.pairing.title} note={isOnline ? text.pairing.note : text.pairing.needsOnline}>
      {paired !== undefined && (
        <p role="status" className="font-medium">
          <VisibleText text={text.pairing.done(paired.name)} names={common.hidden} />
        </p>
      )}
      {open !== null && paired === undefined && <PairingLink key={open.link} pairing={open} />}
      {isOnline && (
        <div className="mt-1">
          <Button
            look={open === null && people.length === 0 ? "primary" : "plain"}
            busy={change.isBusy}
            onClick={() => void make()}
          >
            {open === null ? text.pairing.make : text.pairing.another}
          </Button>
        </div>
      )}
      <ChangeError error={change.error} sentences={{ server_unreachable: text.pairing.needsOnline }} />
    </ItemPart>
  );
}

function PairingLink({ pairing: { link, expiresAt } }: { readonly pairing: ChannelPairing }) {
  const { channels: text, figures } = useFullMessages();
  const left = expiresAt - useNow(1_000);
  if (left <= 0) return <p role="status">{text.pairing.expired}</p>;
  return (
    <div className="mt-1 grid gap-3 rounded-card border border-line bg-raised p-4">
      <LinkBox links={[{ address: new URL(link).host, url: link }]} />
      <p className="max-w-[68ch] text-ink-muted">{text.pairing.scan}</p>
      <p className="text-small text-ink-muted tabular-nums">
        {text.pairing.left(figures.duration(Math.ceil(left / 1_000) * 1_000))}
      </p>
    </div>
  );
}
