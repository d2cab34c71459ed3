"use client";
/** Fields for a router before several model hosts: the header with the session's id, and the answers at once. */
import { answersAtOnceMax } from "@/lib/models/connection-routing";
import { Select } from "../../ui/controls/select";
import { TextField } from "../../ui/controls/text-field";
import { useFullMessages } from "../../messages/full-messages";
import { type ConnectionDraft, type DraftProblems, sessionHeaderUses } from "./connection-draft";
import { FormRow } from "../item-section/form-row";

interface RoutingFieldsProps {
  readonly draft: Pick<ConnectionDraft, "sessionHeader" | "atOnce">;
  readonly problems: DraftProblems;
  readonly onChange: (change: Partial<ConnectionDraft>) => void;
}

export function RoutingFields({ draft: { sessionHeader, atOnce }, problems, onChange }: RoutingFieldsProps) {
  const { connectionSettings: text } = useFullMessages();
  return (
    <>
      <FormRow label={text.atOnce} note={text.atOnceNote} problem={problems.atOnce && text[problems.atOnce]}>
        {(id, described) => (
          <TextField
            id={id}
            aria-describedby={described}
            inputMode="numeric"
            value={atOnce}
            maxLength={String(answersAtOnceMax).length}
            invalid={problems.atOnce !== undefined}
            className="tablet:max-w-28"
            onChange={(event) => onChange({ atOnce: event.target.value })}
          />
        )}
      </FormRow>
      <FormRow label={text.sessionHeader} note={text.sessionHeaderNote}>
        {(id, described) => (
          <Select
            id={id}
            aria-describedby={described}
            className="w-full"
            value={sessionHeader.use}
            options={sessionHeaderUses.map((use) => ({ value: use, label: text.sessionHeaderUses[use] }))}
            onChange={(use) => onChange({ sessionHeader: { ...sessionHeader, use } })}
          />
        )}
      </FormRow>
      {sessionHeader.use === "header" && (
        <FormRow
          label={text.keyName.header}
          note={text.sessionHeaderNames}
          problem={problems.sessionHeader && text[problems.sessionHeader]}
        >
          {(id, described) => (
            <TextField
              mono
              id={id}
              aria-describedby={described}
              autoComplete="off"
              value={sessionHeader.name}
              maxLength={200}
              invalid={problems.sessionHeader !== undefined}
              onChange={(event) => onChange({ sessionHeader: { ...sessionHeader, name: event.target.value } })}
            />
          )}
        </FormRow>
      )}
    </>
  );
}
