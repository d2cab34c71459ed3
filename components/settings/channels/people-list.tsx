"use client";
/** The paired people of a channel; a row opens the person's page. */
import type { ChannelView } from "@/lib/channels/channels";
import { useFullMessages } from "../../messages/full-messages";
import { Chip } from "../../ui/indicators/chip";
import { VisibleText } from "../../ui/text/visible-text";
import { ItemRow } from "../item-row";
import { ItemPart } from "../item-section/item-page";
import { ItemList } from "../item-section/item-section";
import { OpenItemButton } from "../open-item-button";

export function PeopleList({ channel: { kind, people } }: { readonly channel: ChannelView }) {
  const { channels: text, common, figures } = useFullMessages();
  return (
    <ItemPart title={text.people.title} note={text.people.note}>
      {people.length === 0 ? (
        <p>{text.people.none}</p>
      ) : (
        <ItemList label={text.people.title}>
          {people.map(({ id, name, right, isPaused, pairedAt, waitingMessages }) => (
            <ItemRow
              key={id}
              name={
                <OpenItemButton item={`${kind}-${id}`} className="[overflow-wrap:anywhere]">
                  <VisibleText text={name} names={common.hidden} />
                </OpenItemButton>
              }
              chips={
                <>
                  <Chip>{text.rights[right]}</Chip>
                  {isPaused && <Chip tone="ask">{text.people.paused}</Chip>}
                </>
              }
            >
              <p className="text-small text-ink-muted tabular-nums">
                {[
                  text.people.paired(figures.dateTime(pairedAt)),
                  ...(waitingMessages > 0 ? [text.people.waiting(waitingMessages)] : []),
                ].join(" · ")}
              </p>
            </ItemRow>
          ))}
        </ItemList>
      )}
    </ItemPart>
  );
}
