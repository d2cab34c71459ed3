"use client";
/** A user message: a card over the full column with the plain text and its fenced code as code blocks. */
import { Image } from "lucide-react";
import { lazy, Suspense, useCallback, useState } from "react";
import { useWords } from "@/components/words/words";
import { imagesOf, type ImageRef, textOf } from "@/lib/content";
import type { MessageEntry } from "@/lib/view";
import { classes } from "../ui/classes";
import { Chip } from "../ui/chip";
import { CopyButton } from "../ui/copy-button";
import { Icon } from "../ui/icon";
import { StoredImage } from "../ui/stored-image";
import { useConversationActions, useConversationFacts } from "./actions";
import { fencedParts } from "./fenced-parts";
import { CodeBlock } from "./markdown/code-block";
import { PlaceName, PlaceNameField } from "./place-name";
import { UserMenu } from "./user-menu";

const TextEditor = lazy(async () => ({ default: (await import("./text-editor")).TextEditor }));

/** Messages with more lines are collapsed. */
const foldFromLines = 16;
const foldFromChars = 2_000;

export function UserCard({ message }: { readonly message: MessageEntry }) {
  const words = useWords();
  const { branch } = useConversationActions();
  const { labels, sendKey, isIdle } = useConversationFacts();
  const [doing, setDoing] = useState<"edit" | "name" | null>(null);
  const text = textOf(message.blocks.filter((block) => block.type !== "input"));
  const { from, seq } = message;
  const name = labels[seq] ?? "";
  if (doing === "edit" && isIdle && branch !== null && from !== undefined)
    return (
      <article aria-label={words.chat.you} className={classes(card, "border-accent")}>
        <Suspense fallback={<div className="whitespace-pre-wrap">{text}</div>}>
          <TextEditor
            text={text}
            name={words.branches.editing}
            keepName={words.branches.send}
            note={words.branches.editNote}
            sendKey={sendKey}
            onKeep={(next) => branch.resend(from, { text: next, images: imagesOf(message.blocks) })}
            onCancel={() => setDoing(null)}
          />
        </Suspense>
      </article>
    );
  return (
    <article
      aria-label={words.chat.you}
      className={classes(card, "group relative border-line", branch !== null && "pointer-coarse:pr-12")}
    >
      {doing === "name" ? (
        <PlaceNameField
          name={name}
          onDone={(next) => {
            setDoing(null);
            if (next !== null) branch?.name(seq, next);
          }}
        />
      ) : (
        name !== "" && <PlaceName name={name} />
      )}
      <Said message={message} text={text} />
      {doing === "name" ? null : branch === null || from === undefined ? (
        <CopyButton
          text={() => text}
          name={words.chat.copyMessage}
          doneName={words.common.copied}
          className="absolute top-1.5 right-1.5 bg-raised opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100 max-tablet:hidden"
        />
      ) : (
        <UserMenu
          text={text}
          from={from}
          isNamed={name !== ""}
          onEdit={() => setDoing("edit")}
          onName={() => setDoing("name")}
        />
      )}
    </article>
  );
}

const card = "rounded-card border bg-raised px-3.5 py-2.5 text-talk";

function Said({ message, text }: { readonly message: MessageEntry; readonly text: string }) {
  const words = useWords();
  const [open, setOpen] = useState(false);
  const long = text.length > foldFromChars || text.split("\n").length > foldFromLines;
  const images = imagesOf(message.blocks);
  return (
    <>
      <div
        dir="auto"
        className={classes(
          "whitespace-pre-wrap [overflow-wrap:anywhere]",
          long && !open && "max-h-60 overflow-hidden mask-b-from-80%",
        )}
      >
        {fencedParts(text).map((part, index) =>
          part.kind === "text" ? (
            <div key={index}>
              <Spoken text={part.text} />
            </div>
          ) : (
            <CodeBlock key={index} code={part.code} info={part.info} finished lineBefore={part.lineBefore} />
          ),
        )}
      </div>
      {long && (
        <button type="button" onClick={() => setOpen(!open)} className="mt-1 text-base text-accent">
          {open ? words.common.showLess : words.common.showAll}
        </button>
      )}
      {images.length > 0 && <Images images={images} />}
    </>
  );
}

/** Thumbnails, or the number of images where they cannot be loaded. */
function Images({ images }: { readonly images: readonly ImageRef[] }) {
  const { chat } = useWords();
  const { loadImage } = useConversationActions();
  return (
    <div className="mt-1.5 flex flex-wrap gap-2">
      {loadImage === undefined ? (
        <Chip>
          <Icon of={Image} size={12} />
          {chat.images(images.length)}
        </Chip>
      ) : (
        images.map((image, index) => <Thumbnail key={index} image={image} number={index + 1} load={loadImage} />)
      )}
    </div>
  );
}

interface ThumbnailProps {
  readonly image: ImageRef;
  readonly number: number;
  readonly load: NonNullable<ReturnType<typeof useConversationActions>["loadImage"]>;
}

function Thumbnail({ image: { blob }, number, load }: ThumbnailProps) {
  const { chat } = useWords();
  const loadThis = useCallback(() => load(blob), [load, blob]);
  return <StoredImage load={loadThis} name={chat.image(number)} className="h-28 max-w-full min-w-16" />;
}

/** Plain text; only `code` between backticks is formatted. */
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
