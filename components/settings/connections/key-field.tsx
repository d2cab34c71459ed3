"use client";
/** API key field of a connection: write-only, a stored key is never shown. States where the key in use comes from. */
import { useState } from "react";
import type { Connection, ConnectionPreset } from "@/lib/models/models";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { useFullMessages } from "../../messages/full-messages";
import { joinSentences } from "../../messages/join-sentences";
import type { DraftProblem } from "./connection-draft";
import { FormRow } from "../item-section/form-row";

interface KeyFieldProps {
  /** null = unchanged, "" = delete the stored key, else the new key */
  readonly value: string | null;
  readonly stored: Connection["key"];
  readonly preset: ConnectionPreset | undefined;
  readonly problem: DraftProblem | undefined;
  readonly onChange: (key: string | null) => void;
}

export function KeyField({ value, stored, preset, problem, onChange }: KeyFieldProps) {
  const messages = useFullMessages();
  const text = messages.connectionSettings;
  const [isTyping, setTyping] = useState(false);
  // Without a stored key the field shows at once; with one, only after the user asks to replace it.
  const hasField = stored.from === "none" || (value !== null && (isTyping || value !== ""));
  const note = [
    ...(stored.from === "none" && preset?.needsKey === false ? [text.keyNotNeeded] : []),
    stored.from !== "none" && !isTyping ? text.keyHidden : text.keyNote,
    ...(stored.from === "none" && preset !== undefined && preset.keyEnvironment.length > 0
      ? [text.keyOrEnvironment(preset.keyEnvironment.join(" / "))]
      : []),
  ];
  const type = (): void => {
    setTyping(true);
    onChange("");
  };
  const leave = (): void => {
    setTyping(false);
    onChange(null);
  };
  return (
    <FormRow label={text.key} note={joinSentences(messages, note)} problem={problem && text[problem]}>
      {(id, described) =>
        hasField ? (
          <div className="flex gap-2">
            <TextField
              mono
              id={id}
              type="password"
              autoComplete="new-password"
              autoFocus={isTyping}
              aria-describedby={described}
              value={value ?? ""}
              maxLength={2000}
              invalid={problem !== undefined}
              onChange={(event) =>
                onChange(event.target.value === "" && stored.from === "none" ? null : event.target.value)
              }
            />
            {stored.from !== "none" && (
              <Button look="quiet" onClick={leave}>
                {text.keep}
              </Button>
            )}
          </div>
        ) : (
          <div id={id} className="grid gap-1.5">
            <p className={value === "" ? "text-ask" : ""}>{storedKeyText(value, stored, text)}</p>
            <div className="flex flex-wrap gap-2">
              {value === "" ? (
                <Button size="small" onClick={leave}>
                  {text.keep}
                </Button>
              ) : (
                <>
                  <Button size="small" onClick={type}>
                    {stored.from === "file" ? text.replace : text.enterKey}
                  </Button>
                  {stored.from === "file" && (
                    <Button size="small" onClick={() => onChange("")}>
                      {text.forget}
                    </Button>
                  )}
                </>
              )}
            </div>
          </div>
        )
      }
    </FormRow>
  );
}

function storedKeyText(
  value: string | null,
  stored: Connection["key"],
  text: ReturnType<typeof useFullMessages>["connectionSettings"],
): string {
  if (value === "") return text.keyForgotten;
  return stored.from === "environment" ? text.keyFromEnvironment(stored.name ?? "") : text.keyKept;
}
