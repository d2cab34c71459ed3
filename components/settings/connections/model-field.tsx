"use client";
/**
 * Model field of a connection: free text with suggestions from the server's model list. For an unsaved draft the list
 * is requested on the first click.
 */
import { skipToken } from "@tanstack/react-query";
import { type MouseEvent, useId, useState } from "react";
import { isOllamaConnection } from "@/lib/models/ollama-connection";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { TextField } from "../../ui/controls/text-field";
import { useFullMessages } from "../../messages/full-messages";
import { joinSentences } from "../../messages/join-sentences";
import type { ConnectionFieldsProps } from "./connection-fields";
import { FormRow } from "../item-section/form-row";

type ModelFieldProps = Pick<ConnectionFieldsProps, "draft" | "connection" | "input" | "onChange">;
type ServerModelNames = readonly string[] | "failed" | null;

export function ModelField({ draft, connection, input, onChange }: ModelFieldProps) {
  const messages = useFullMessages();
  const text = messages.connectionSettings;
  const { call } = useClient();
  const listId = useId();
  const [ofDraft, setOfDraft] = useState<ServerModelNames>(null);
  const saved = useCommandQuery("connections.models", connection === undefined ? skipToken : { id: connection.id }, {
    select: ({ models }) => models,
  });
  const ofSaved: ServerModelNames = saved.isError ? "failed" : (saved.data?.map(({ name }) => name) ?? null);
  const listed = ofDraft ?? ofSaved;
  const names = listed === null || listed === "failed" ? [] : listed;
  const status =
    listed === "failed"
      ? text.modelListFailed
      : names.length > 0
        ? text.modelSuggested(names.length)
        : connection === undefined
          ? text.modelSaveFirst
          : "";
  const open = async ({ currentTarget: field }: MouseEvent<HTMLInputElement>): Promise<void> => {
    if (names.length === 0 && input !== null) {
      const answer = await call("connections.models", { draft: input });
      setOfDraft(answer.ok ? answer.value.models.map(({ name }) => name) : "failed");
      if (!answer.ok) return;
    }
    requestAnimationFrame(() => showList(field));
  };
  return (
    <FormRow
      label={text.model}
      note={joinSentences(messages, [isOllamaConnection(draft) ? text.hostModelNote : text.modelNote, status])}
    >
      {(id, described) => (
        <>
          <TextField
            mono
            id={id}
            aria-describedby={described}
            list={listId}
            value={draft.model}
            maxLength={200}
            onClick={(event) => void open(event)}
            onChange={(event) => onChange({ model: event.target.value })}
          />
          <datalist id={listId}>
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </FormRow>
  );
}

/** Opens the suggestions. Not every browser has showPicker, and it throws when the click is too long ago. */
function showList(field: HTMLInputElement): void {
  try {
    field.showPicker();
  } catch {
    // The list opens with the first letter.
  }
}
