"use client";
/** Token of a channel: write-only, a stored one is never shown. */
import { type FormEvent, useState } from "react";
import type { ChannelView } from "@/lib/channels/channels";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { ChangeError } from "../item-section/change-error";
import { FormRow } from "../item-section/form-row";
import { useChange } from "../../state/use-change";

const tokenMaxChars = 300;

export function ChannelToken({ channel: { kind, token } }: { readonly channel: ChannelView }) {
  const { channels: text, common } = useFullMessages();
  const change = useChange("inline");
  const [typed, setTyped] = useState("");
  const [isReplacing, setReplacing] = useState(false);
  const hasField = token === "none" || isReplacing;
  const leave = (): void => {
    setTyped("");
    setReplacing(false);
  };
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if ((await change.perform("channels.set_token", { kind, token: typed.trim() })) !== undefined) leave();
  };
  return (
    <FormRow label={text.token.label} note={hasField ? text.token.note : text.token[token]}>
      {(id, described) => (
        <>
          {hasField ? (
            <form onSubmit={(event) => void save(event)} className="flex flex-wrap gap-2">
              <TextField
                mono
                id={id}
                type="password"
                autoComplete="new-password"
                autoFocus={isReplacing}
                aria-describedby={described}
                value={typed}
                maxLength={tokenMaxChars}
                className="w-auto flex-1 basis-48"
                onChange={(event) => setTyped(event.target.value)}
              />
              <Button
                type="submit"
                look={token === "none" ? "primary" : "plain"}
                busy={change.isBusy}
                disabled={typed.trim() === ""}
              >
                {common.save}
              </Button>
              {isReplacing && (
                <Button look="quiet" onClick={leave}>
                  {text.token.keep}
                </Button>
              )}
            </form>
          ) : (
            <div id={id} className="flex flex-wrap gap-2">
              {token === "stored" && (
                <>
                  <Button onClick={() => setReplacing(true)}>{text.token.replace}</Button>
                  <Button
                    look="quiet"
                    busy={change.isBusy}
                    onClick={() => void change.perform("channels.set_token", { kind, token: null })}
                  >
                    {text.token.remove}
                  </Button>
                </>
              )}
            </div>
          )}
          <ChangeError error={change.error} sentences={{ bad_input: text.problems.key_refused }} />
        </>
      )}
    </FormRow>
  );
}
