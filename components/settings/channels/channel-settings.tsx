"use client";
/** A channel: its switch with the state of the connection, its token, project and address. */
import { useId, type FormEvent, useState } from "react";
import type { ChannelView } from "@/lib/channels/channels";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Select } from "../../ui/controls/select";
import { Switch } from "../../ui/controls/switch";
import { ChangeError } from "../item-section/change-error";
import { FormRow } from "../item-section/form-row";
import { useChange } from "../../state/use-change";
import { ChannelState } from "./channel-state";
import { ChannelToken } from "./channel-token";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";

/** Telegram's own. */
const usualAddress = "https://api.telegram.org";
const addressMaxChars = 300;

/** Address of the messenger's API, for a server of the user's own. */
function ChannelAddress({ channel: { kind, apiAddress } }: { readonly channel: ChannelView }) {
  const { channels: text, common } = useFullMessages();
  const change = useChange("inline");
  const [typed, setTyped] = useState(apiAddress);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    void change.perform("channels.set", { kind, apiAddress: typed.trim() });
  };
  return (
    <FormRow label={text.address.label} note={text.address.note}>
      {(id, described) => (
        <>
          <form onSubmit={save} className="flex gap-2">
            <TextField
              mono
              id={id}
              inputMode="url"
              aria-describedby={described}
              placeholder={usualAddress}
              value={typed}
              maxLength={addressMaxChars}
              invalid={change.error?.code === "bad_input"}
              onChange={(event) => setTyped(event.target.value)}
            />
            {typed.trim() !== apiAddress && (
              <Button type="submit" busy={change.isBusy}>
                {common.save}
              </Button>
            )}
          </form>
          <ChangeError error={change.error} sentences={{ bad_input: text.address.bad }} />
        </>
      )}
    </FormRow>
  );
}

interface ChannelSettingsProps {
  readonly channel: ChannelView;
  readonly projects: readonly Project[];
}

export function ChannelSettings({ channel, projects }: ChannelSettingsProps) {
  const { channels: text } = useFullMessages();
  const name = text.names[channel.kind];
  return (
    <section aria-label={name} className="divide-y divide-line border-y border-line">
      <ChannelSwitch channel={channel} />
      <ChannelToken channel={channel} />
      <ChannelProject channel={channel} projects={projects} />
      <ChannelAddress key={channel.apiAddress} channel={channel} />
    </section>
  );
}

function ChannelSwitch({ channel }: { readonly channel: ChannelView }) {
  const { channels: text } = useFullMessages();
  const change = useChange("inline");
  const labelId = useId();
  const { kind, isOn, token } = channel;
  return (
    <div className="grid gap-1.5 py-3.5">
      <div className="flex items-center gap-4">
        <div className="grid min-w-0 flex-1 gap-1.5">
          <h2 id={labelId} className="font-semibold">
            {text.names[kind]}
          </h2>
          <ChannelState channel={channel} />
        </div>
        <Switch
          aria-labelledby={labelId}
          on={isOn}
          disabled={token === "none"}
          onChange={(on) => void change.perform("channels.set", { kind, isOn: on })}
        />
      </div>
      <ChangeError error={change.error} />
    </div>
  );
}

const workspace = "";

function ChannelProject({ channel: { kind, projectId }, projects }: ChannelSettingsProps) {
  const { channels: text } = useFullMessages();
  const change = useChange("inline");
  return (
    <FormRow label={text.project.label} note={text.project.note}>
      {(id, described) => (
        <>
          <Select
            id={id}
            aria-describedby={described}
            value={projectId === undefined ? workspace : String(projectId)}
            options={[
              { value: workspace, label: text.project.workspace },
              ...projects.map((project) => ({ value: String(project.id), label: project.name })),
            ]}
            onChange={(value) =>
              void change.perform("channels.set", {
                kind,
                projectId: projects.find(({ id: one }) => one === value)?.id ?? null,
              })
            }
          />
          <ChangeError error={change.error} />
        </>
      )}
    </FormRow>
  );
}
