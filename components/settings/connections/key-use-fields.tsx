"use client";
/** Fields for the way in which a connection's key is sent. */
import { type KeyUse, keyUses } from "@/lib/models/key-use";
import { Select } from "../../ui/controls/select";
import { TextField } from "../../ui/controls/text-field";
import { useFullMessages } from "../../messages/full-messages";
import type { DraftProblem } from "./connection-draft";
import { FormRow } from "../item-section/form-row";

const nameExamples = { password: undefined, header: "X-Api-Key" } as const;

interface KeyUseFieldsProps {
  /** null = as a bearer token */
  readonly value: KeyUse | null;
  readonly problem: DraftProblem | undefined;
  readonly onChange: (value: KeyUse | null) => void;
}

export function KeyUseFields({ value, problem, onChange }: KeyUseFieldsProps) {
  const { connectionSettings: text } = useFullMessages();
  return (
    <>
      <FormRow label={text.keyUse} note={text.keyUseNote}>
        {(id, described) => (
          <Select
            id={id}
            aria-describedby={described}
            className="w-full"
            value={value?.as ?? "bearer"}
            options={(["bearer", ...keyUses] as const).map((use) => ({ value: use, label: text.keyUses[use] }))}
            onChange={(use) => onChange(use === "bearer" ? null : { as: use, name: "" })}
          />
        )}
      </FormRow>
      {value !== null && (
        <FormRow label={text.keyName[value.as]} note={text.keyNameNote[value.as]} problem={problem && text[problem]}>
          {(id, described) => (
            <TextField
              mono
              id={id}
              aria-describedby={described}
              autoComplete="off"
              value={value.name}
              maxLength={200}
              placeholder={nameExamples[value.as]}
              invalid={problem !== undefined}
              onChange={(event) => onChange({ ...value, name: event.target.value })}
            />
          )}
        </FormRow>
      )}
    </>
  );
}
