"use client";
/** Field that filters a list by name, with the button that creates what the list does not have. */
import { isRefName } from "@/lib/workspace/ref-name";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { NameNote } from "./name-note";

interface NameFormProps {
  readonly typed: string;
  /** Name of the field. */
  readonly label: string;
  readonly submit: string;
  readonly isBusy: boolean;
  /** The list has no entry of this name. */
  readonly isNew: boolean;
  readonly onType: (typed: string) => void;
  readonly onCreate: () => void;
}

export function NameForm({ typed, label, submit, isBusy, isNew, onType, onCreate }: NameFormProps) {
  const wanted = typed.trim();
  const canCreate = isNew && isRefName(wanted);
  return (
    <form
      className="mb-3 flex flex-wrap gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (canCreate) onCreate();
      }}
    >
      <TextField
        className="min-w-60 flex-1"
        value={typed}
        aria-label={label}
        placeholder={label}
        onChange={({ target }) => onType(target.value)}
      />
      <Button type="submit" busy={isBusy} disabled={!canCreate}>
        {submit}
      </Button>
      {isNew && <NameNote name={wanted} />}
    </form>
  );
}
