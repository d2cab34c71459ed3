"use client";
/** References of a sent message: a file opens at its lines, everything else shows the content that was sent. */
import { useState } from "react";
import { Pin, PinOff, Terminal } from "lucide-react";
import { type ReferenceBlock, referenceName } from "@/lib/events/content";
import { useFullMessages } from "../../messages/full-messages";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";
import { useConversationActions } from "../actions";
import { referenceIcons } from "../composer/references/reference-icons";

interface MessageReferencesProps {
  readonly references: readonly ReferenceBlock[];
  /** Pinned files that are not sent from this message on, since they exceed their budget. */
  readonly evictedPins: readonly string[];
}

export function MessageReferences({ references, evictedPins }: MessageReferencesProps) {
  const { references: text, pins, common } = useFullMessages();
  const { openPath } = useConversationActions();
  const [openIndex, setOpenIndex] = useState<number | null>(null);
  const open = openIndex === null ? undefined : references[openIndex];
  return (
    <>
      {references.length > 0 && (
        <ul aria-label={text.sent} className="mt-2 flex flex-wrap gap-1.5">
          {references.map((reference, index) => {
            const { kind, label, lines, pinned, command } = reference;
            const icon = pinned ? Pin : command ? Terminal : referenceIcons[kind];
            const opensFile = kind === "file" && openPath !== null;
            const toggle = (): void => setOpenIndex(openIndex === index ? null : index);
            return (
              <li key={index} className="max-w-full">
                <button
                  type="button"
                  disabled={!opensFile && reference.text === ""}
                  aria-expanded={opensFile ? undefined : openIndex === index}
                  onClick={opensFile ? () => openPath(label, lines?.first, lines && { endLine: lines.last }) : toggle}
                  className="flex max-w-full items-center gap-1.5 rounded-control border border-line bg-surface px-2 py-0.5 text-small enabled:hover:bg-hover max-tablet:min-h-11"
                >
                  <Icon of={icon} size={14} className="shrink-0 text-ink-muted" />
                  <span className="min-w-0 cut">
                    <VisibleText
                      text={referenceName(reference) + (kind === "folder" ? "/" : "")}
                      names={common.hidden}
                    />
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
      {evictedPins.length > 0 && (
        <p className="mt-2 flex items-baseline gap-1.5 text-small text-ask [overflow-wrap:anywhere]">
          <Icon of={PinOff} size={12} className="shrink-0 self-center" />
          <span>{pins.noLongerSent(evictedPins.length, evictedPins.join(", "))}</span>
        </p>
      )}
      {open !== undefined && (
        <pre className="mt-1.5 max-h-80 overflow-auto rounded-control border border-line bg-surface p-2 text-code whitespace-pre-wrap [overflow-wrap:anywhere]">
          <VisibleText text={open.text} names={common.hidden} />
        </pre>
      )}
    </>
  );
}
