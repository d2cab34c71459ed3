"use client";
/** Shows the memory that a new session gets, to the token, for a window of the user's choice. */
import type { MemoryStart } from "@/lib/tools/memory";
import { useFullMessages } from "../../messages/full-messages";
import { useServerState } from "../../state/use-server-state";
import { Select } from "../../ui/controls/select";
import { RawText } from "../item-section/disclosure";
import { SectionTitle } from "../item-section/section-title";

interface SessionStartProps {
  readonly start: MemoryStart;
  readonly onWindow: (window: number) => void;
}

/** Offered windows, tokens. */
const windows = [4_096, 8_192, 16_384, 32_768, 65_536];

export function MemoryStartText({ start, onWindow }: SessionStartProps) {
  const { memory: text, figures } = useFullMessages();
  const offered = [...new Set([...windows, start.window])].toSorted((a, b) => a - b);
  const tokens = (start.owner?.tokens ?? 0) + (start.notes?.tokens ?? 0);
  return (
    <section aria-label={text.startTitle} className="mb-8">
      <SectionTitle title={text.startTitle} />
      <p className="mb-3 max-w-[64ch] text-ink-muted">{text.startNote}</p>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <label className="flex items-center gap-2">
          <span className="text-ink-muted">{text.window}</span>
          <Select
            value={String(start.window)}
            options={offered.map((window) => ({ value: String(window), label: figures.tokens(window) }))}
            onChange={(window) => onWindow(Number(window))}
          />
        </label>
        <span className="text-ink-muted tabular-nums">
          {text.share(figures.number(tokens), figures.number(start.share))}
        </span>
      </div>
      <StartTexts start={start} />
    </section>
  );
}

function StartTexts({ start: { owner, notes } }: Pick<SessionStartProps, "start">) {
  const { memory: text, figures } = useFullMessages();
  const isOff = useServerState("settings")?.memory === false;
  if (isOff || (owner === null && notes === null)) return <p>{isOff ? text.off : text.nothing}</p>;
  const parts = [
    { title: text.ownerPart, part: owner },
    { title: text.notesPart, part: notes },
  ];
  return parts.map(({ title, part }) =>
    part === null ? null : (
      <section key={title} aria-label={title} className="mb-3">
        <h3 className="mb-1 flex gap-2 font-medium">
          <span className="flex-1">{title}</span>
          <span className="text-small font-normal text-ink-muted tabular-nums">
            {text.tokens(figures.number(part.tokens))}
          </span>
        </h3>
        <RawText text={part.text} />
      </section>
    ),
  );
}
