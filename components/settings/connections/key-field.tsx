"use client";
/** The key of a connection: it goes in and is never shown again. Says where the one in use comes from. */
import { useState } from "react";
import type { Connection, ConnectionPreset } from "@/lib/models";
import { Button } from "../../ui/button";
import { TextField } from "../../ui/text-field";
import { useWords } from "../../words/words";
import { sentences } from "../../words/sentences";
import type { DraftProblem } from "./connection-draft";
import { FormRow } from "./form-row";

export interface KeyFieldProps {
  /** null = as it is, "" = forget it, else the new one */
  readonly value: string | null;
  readonly kept: Connection["key"];
  readonly preset: ConnectionPreset | undefined;
  readonly problem: DraftProblem | undefined;
  readonly onChange: (key: string | null) => void;
}

export function KeyField({ value, kept, preset, problem, onChange }: KeyFieldProps) {
  const words = useWords();
  const text = words.connections;
  const [isTyping, setTyping] = useState(false);
  // A key that is not there is asked for at once; one that is, only when the user wants another.
  const hasField = kept.from === "none" || (isTyping && value !== null);
  const note = [
    ...(kept.from === "none" && preset?.needsKey === false ? [text.keyNotNeeded] : []),
    kept.from !== "none" && !isTyping ? text.keyHidden : text.keyNote,
    ...(kept.from === "none" && preset !== undefined && preset.keyEnvironment.length > 0
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
    <FormRow label={text.key} note={sentences(words, note)} problem={problem}>
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
                onChange(event.target.value === "" && kept.from === "none" ? null : event.target.value)
              }
            />
            {kept.from !== "none" && (
              <Button look="quiet" onClick={leave}>
                {text.keep}
              </Button>
            )}
          </div>
        ) : (
          <div id={id} className="grid gap-1.5">
            <p className={value === "" ? "text-ask" : ""}>{keptWords(value, kept, text)}</p>
            <div className="flex flex-wrap gap-2">
              {value === "" ? (
                <Button size="small" onClick={leave}>
                  {text.keep}
                </Button>
              ) : (
                <>
                  <Button size="small" onClick={type}>
                    {kept.from === "file" ? text.replace : text.enterKey}
                  </Button>
                  {kept.from === "file" && (
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

function keptWords(
  value: string | null,
  kept: Connection["key"],
  text: ReturnType<typeof useWords>["connections"],
): string {
  if (value === "") return text.keyForgotten;
  return kept.from === "environment" ? text.keyFromEnvironment(kept.name ?? "") : text.keyKept;
}
