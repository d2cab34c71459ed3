"use client";
/** Address of the messenger's API, for a server of the user's own. */
import { type FormEvent, useState } from "react";
import type { ChannelView } from "@/lib/channels/channels";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { ChangeError } from "../item-section/change-error";
import { FormRow } from "../item-section/form-row";
import { useChange } from "../use-change";

/** Telegram's own. */
const usualAddress = "https://api.telegram.org";
const addressMaxChars = 300;

export function ChannelAddress({ channel: { kind, apiAddress } }: { readonly channel: ChannelView }) {
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
