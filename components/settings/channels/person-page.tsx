"use client";
/** Page of a paired person: right, facts, pause and removal. */
import type { ChannelPerson, ChannelView } from "@/lib/channels/channels";
import { remoteRights } from "@/lib/permissions/remote-rights";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { Select } from "../../ui/controls/select";
import { Chip } from "../../ui/indicators/chip";
import { ChangeError } from "../item-section/change-error";
import { FormRow } from "../item-section/form-row";
import { Fact, FactTable, ItemPage } from "../item-section/item-page";
import { useChange } from "../../state/use-change";
import { RemoveItem } from "../item-section/remove-item";
import { withBasePath } from "../../state/base-path";

interface PersonPageProps {
  readonly channel: ChannelView;
  readonly person: ChannelPerson;
  readonly projects: readonly Project[];
}

export function PersonPage({ channel, person, projects }: PersonPageProps) {
  const { channels: text } = useFullMessages();
  const change = useChange("inline");
  const { kind } = channel;
  const { id, name, right, isPaused } = person;
  return (
    <ItemPage
      name={name}
      chips={isPaused && <Chip tone="ask">{text.people.paused}</Chip>}
      about={isPaused && <p className="max-w-[68ch]">{text.person.pausedNote}</p>}
      actions={
        <>
          <Button onClick={() => void change.perform("channels.set_person", { kind, id, isPaused: !isPaused })}>
            {isPaused ? text.person.resume : text.person.pause}
          </Button>
          <RemovePerson channel={channel} person={person} />
        </>
      }
    >
      <ChangeError error={change.error} />
      <FormRow label={text.person.right} note={text.person.rightNotes[right]}>
        {(field, described) => (
          <Select
            id={field}
            aria-describedby={described}
            value={right}
            options={remoteRights.map((value) => ({ value, label: text.rights[value] }))}
            onChange={(value) => void change.perform("channels.set_person", { kind, id, right: value })}
          />
        )}
      </FormRow>
      <p className="-mt-4 max-w-[68ch] text-small text-ink-muted">{text.person.rightNote}</p>
      <PersonFacts channel={channel} person={person} projects={projects} />
    </ItemPage>
  );
}

function PersonFacts({ channel, person, projects }: PersonPageProps) {
  const { channels: text, automations, figures } = useFullMessages();
  const { facts } = text.person;
  const { id, pairedAt, sessionId, mode, waitingMessages, waitingDeliveries } = person;
  const projectId = person.projectId ?? channel.projectId;
  const project = projects.find((one) => one.id === projectId);
  return (
    <FactTable>
      <Fact name={facts.session}>
        {sessionId === undefined ? (
          <span className="text-ink-muted">{facts.noSession}</span>
        ) : (
          <a href={withBasePath(`/s/${sessionId}`)} className="text-accent hover:underline max-tablet:py-2.5">
            {facts.open}
          </a>
        )}
      </Fact>
      <Fact name={facts.project}>
        {projectId === undefined ? text.project.workspace : (project?.name ?? automations.removedProject)}
      </Fact>
      <Fact name={facts.mode}>{automations.modes[mode]}</Fact>
      <Fact name={facts.waitingMessages}>{figures.number(waitingMessages)}</Fact>
      <Fact name={facts.waitingDeliveries}>{figures.number(waitingDeliveries)}</Fact>
      <Fact name={facts.paired}>{figures.dateTime(pairedAt)}</Fact>
      <Fact name={facts.id}>
        <code className="font-mono text-code">{id}</code>
      </Fact>
    </FactTable>
  );
}

function RemovePerson({ channel: { kind }, person: { id, name } }: Pick<PersonPageProps, "channel" | "person">) {
  const { channels: text } = useFullMessages();
  const { perform } = useChange("toast");
  return (
    <RemoveItem
      label={text.person.remove}
      title={text.person.removeTitle(name)}
      yes={text.person.removeYes}
      remove={async () => (await perform("channels.remove_person", { kind, id })) !== undefined}
    >
      <p>{text.person.removeNote}</p>
    </RemoveItem>
  );
}
