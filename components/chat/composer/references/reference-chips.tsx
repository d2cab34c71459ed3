"use client";
/** The references that will be sent with the next message: name, size, and a remove button each. */
import { Pin, X } from "lucide-react";
import { useState } from "react";
import { type FullMessages, useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { Button } from "../../../ui/controls/button";
import { IconButton } from "../../../ui/controls/icon-button";
import { Icon } from "../../../ui/indicators/icon";
import { PathText } from "../../../ui/text/path-text";
import { classes } from "../../../ui/theme/classes";
import { type DraftReference, draftReferenceName, shortenedReference } from "./draft-references";
import { referenceIcons } from "./reference-icons";
import type { DraftReferences } from "./use-references";

interface ReferenceChipsProps {
  readonly references: DraftReferences;
  /** Moves the text of a reference into the field. */
  readonly onInsert: (text: string) => void;
  /** Called after a chip is removed, with the focus lost. */
  readonly onRemoved: () => void;
}

export function ReferenceChips({ references, onInsert, onRemoved }: ReferenceChipsProps) {
  const { references: text } = useFullMessages();
  const [openId, setOpenId] = useState<number | null>(null);
  const { list, refusal } = references;
  const open = list.find(({ id }) => id === openId)?.reference;
  const remove = (id: number): void => {
    references.remove(id);
    onRemoved();
  };
  return (
    <>
      {list.length > 0 && (
        <ul aria-label={text.list} className="flex flex-wrap gap-1.5 px-4 pt-3">
          {list.map((draft) => (
            <ReferenceChip
              key={draft.id}
              draft={draft}
              maxTokens={references.maxTokens}
              isOpen={draft.id === openId}
              onToggle={() => setOpenId(draft.id === openId ? null : draft.id)}
              onShorten={() => references.shorten(draft.id)}
              onRemove={() => remove(draft.id)}
            />
          ))}
        </ul>
      )}
      {open?.kind === "text" && openId !== null && (
        <div className="px-4 pt-2">
          <pre className="max-h-48 overflow-auto rounded-control border border-line bg-surface p-2 text-code whitespace-pre-wrap [overflow-wrap:anywhere]">
            {open.text}
          </pre>
          <Button
            size="small"
            className="mt-1"
            onClick={() => {
              onInsert(open.text);
              references.remove(openId);
            }}
          >
            {text.insert}
          </Button>
        </div>
      )}
      {refusal !== null && (
        <p role="status" className="px-4 pt-1 text-small text-ask first:pt-3">
          {refusal}
        </p>
      )}
    </>
  );
}

interface ReferenceChipProps {
  readonly draft: DraftReference;
  readonly maxTokens: number | null;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onShorten: () => void;
  readonly onRemove: () => void;
}

function ReferenceChip({ draft, maxTokens, isOpen, onToggle, onShorten, onRemove }: ReferenceChipProps) {
  const messages = useFullMessages();
  const pins = useClient().handles.composer?.pins ?? null;
  const { references: text, common } = messages;
  const { reference, size } = draft;
  const name = draftReferenceName(reference);
  const isSendable = size === null || (size.ok && size.fitting === undefined);
  const short = shortenedReference(draft);
  return (
    <li
      className={classes(
        "flex max-w-full min-w-0 items-center gap-1.5 rounded-control border pl-2 text-small",
        isSendable ? "border-line bg-surface" : "border-ask bg-ask-soft",
      )}
    >
      <Icon of={referenceIcons[reference.kind]} size={14} className="shrink-0 text-ink-muted" />
      {reference.kind === "text" ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="min-w-0 cut rounded-control underline-offset-2 hover:underline max-tablet:min-h-11"
        >
          {name}
        </button>
      ) : reference.kind === "file" ? (
        <PathText path={name} names={common.hidden} />
      ) : (
        <span className="min-w-0 cut">{name}</span>
      )}
      <span className={classes("text-ink-muted tabular-nums", isSendable ? "shrink-0" : "min-w-0")}>
        {chipNote(size, maxTokens, messages)}
      </span>
      {short !== null && size?.ok === true && size.fitting && (
        <button
          type="button"
          onClick={onShorten}
          className="shrink-0 font-medium text-accent underline-offset-2 hover:underline max-tablet:min-h-11"
        >
          {text.useLines(size.fitting.first, size.fitting.last)}
        </button>
      )}
      {pins !== null && reference.kind === "file" && reference.lines === undefined && (
        <IconButton
          icon={Pin}
          size="small"
          name={messages.pins.pin(name)}
          onClick={() => void pins.setPinned(reference.path, true).then((isPinned) => isPinned && onRemove())}
        />
      )}
      <IconButton icon={X} size="small" name={text.remove(name)} onClick={onRemove} />
    </li>
  );
}

/** The size of a reference, or why it cannot be sent. */
function chipNote(
  size: DraftReference["size"],
  maxTokens: number | null,
  { references, figures, errors }: FullMessages,
): string {
  if (size === null) return "";
  if (!size.ok) return errors.sentences[size.error.code];
  const tokens = references.tokens(figures.tokens(size.tokens));
  return size.fitting === undefined || maxTokens === null
    ? tokens
    : references.tooLarge(tokens, figures.tokens(maxTokens));
}
