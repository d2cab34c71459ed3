"use client";
/** What the user said: a card over the full column, the text as it was typed. */
import { Image } from "lucide-react";
import { useState } from "react";
import { useWords } from "@/components/words/words";
import { textOf } from "@/lib/content";
import type { MessageEntry } from "@/lib/view";
import { classes } from "../ui/classes";
import { Chip } from "../ui/chip";
import { CopyButton } from "../ui/copy-button";
import { Icon } from "../ui/icon";

/** Longer messages are folded, lines. */
const foldFromLines = 16;
const foldFromChars = 2_000;

export function UserCard({ message }: { readonly message: MessageEntry }) {
  const words = useWords();
  const [open, setOpen] = useState(false);
  const text = textOf(message.blocks.filter((block) => block.type !== "input"));
  const long = text.length > foldFromChars || text.split("\n").length > foldFromLines;
  const images = message.blocks.filter((block) => block.type === "image");
  return (
    <article
      aria-label={words.chat.you}
      className="group relative rounded-card border border-line bg-raised px-3.5 py-2.5 text-talk"
    >
      <div
        dir="auto"
        className={classes(
          "whitespace-pre-wrap [overflow-wrap:anywhere]",
          long && !open && "max-h-60 overflow-hidden mask-b-from-80%",
        )}
      >
        <Spoken text={text} />
      </div>
      {long && (
        <button type="button" onClick={() => setOpen(!open)} className="mt-1 text-base text-accent">
          {open ? words.common.showLess : words.common.showAll}
        </button>
      )}
      {images.length > 0 && (
        <div className="mt-1.5 flex gap-1">
          {images.map((_, index) => (
            <Chip key={index}>
              <Icon of={Image} size={12} />
              {words.chat.image}
            </Chip>
          ))}
        </div>
      )}
      <CopyButton
        text={() => text}
        name={words.chat.copyMessage}
        doneName={words.common.copied}
        className="absolute top-1.5 right-1.5 bg-raised opacity-0 group-hover:opacity-100 focus-visible:opacity-100 max-tablet:hidden"
      />
    </article>
  );
}

/** Typed text, only `code` between backticks looks like code. */
function Spoken({ text }: { readonly text: string }) {
  return text.split(/(`[^`\n]+`)/).map((part, index) =>
    index % 2 === 1 ? (
      <code key={index} className="text-code">
        {part.slice(1, -1)}
      </code>
    ) : (
      part
    ),
  );
}
