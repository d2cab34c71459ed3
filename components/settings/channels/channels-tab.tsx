"use client";
/** Channels tab: each channel with its connection, settings and people, or the page of one person. */
import type { ChannelPerson, ChannelView } from "@/lib/channels/channels";
import { useFullMessages } from "../../messages/full-messages";
import { ItemSection, ItemList } from "../item-section/item-section";
import { ServiceNote } from "../item-section/service-note";
import type { SettingsSectionContext } from "../item-section/settings-section";
import { ChannelSettings } from "./channel-settings";
import { PairingPart } from "./pairing-part";
import { PersonPage } from "./person-page";
import { useCommandQuery } from "../../state/use-command-query";
import { Chip } from "../../ui/indicators/chip";
import { VisibleText } from "../../ui/text/visible-text";
import { ItemRow } from "../item-section/item-row";
import { ItemPart } from "../item-section/item-page";
import { useOpenItem } from "../item-section/open-item";
import { OpenItemButton } from "../item-section/open-item-button";

/** The paired people of a channel; a row opens the person's page. */
function PeopleList({ channel: { kind, people } }: { readonly channel: ChannelView }) {
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

/** A person of a channel. */
interface ChannelMember {
  readonly channel: ChannelView;
  readonly person: ChannelPerson;
}

const membersOf = (channels: readonly ChannelView[]): readonly ChannelMember[] =>
  channels.flatMap((channel) => channel.people.map((person) => ({ channel, person })));

export function ChannelsTab({ projects }: SettingsSectionContext) {
  const { channels: text } = useFullMessages();
  const query = useCommandQuery("channels.list", {}, { select: ({ channels: listed }) => listed });
  return (
    <ItemSection<readonly ChannelView[], ChannelMember>
      text={text}
      opened={useOpenItem()}
      about={
        <>
          <p>{text.about}</p>
          <ServiceNote text={text.onlyWhileServed} />
        </>
      }
      query={query}
      items={membersOf}
      addressOf={({ channel, person }) => `${channel.kind}-${person.id}`}
      list={(channels) =>
        channels.map((channel) => (
          <div key={channel.kind} className="grid gap-5 *:min-w-0">
            <ChannelSettings channel={channel} projects={projects} />
            {channel.isOn && <PairingPart channel={channel} />}
            {(channel.isOn || channel.people.length > 0) && <PeopleList channel={channel} />}
          </div>
        ))
      }
      page={({ channel, person }) => <PersonPage channel={channel} person={person} projects={projects} />}
    />
  );
}
