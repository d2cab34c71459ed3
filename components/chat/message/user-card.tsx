"use client";
/** A user message: a card over the full column with the plain text and its fenced code as code blocks. */
import { Image } from "lucide-react";
import { lazy, Suspense, useCallback, useState } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import { useMessages } from "../../messages/messages";
import { messageImageRefs, type ImageRef, joinTextBlocks, referenceBlocks } from "@/lib/events/content";
import { readEvictedPins } from "@/lib/events/evicted-pins";
import { PlanSteps } from "../plan/plan-steps";
import { readPlanMessage } from "@/lib/view/checklist";
import type { MessageEntry } from "@/lib/view/view";
import { classes } from "../../ui/theme/classes";
import { Chip } from "../../ui/indicators/chip";
import { CopyButton } from "../../ui/controls/copy-button";
import { Icon } from "../../ui/indicators/icon";
import { StoredImage } from "../../ui/indicators/stored-image";
import { useConversationActions, useConversationFacts } from "../actions";
import { resentAttachments } from "./resent-attachments";
import { splitFencedParts } from "./split-fenced-parts";
import { CodeBlock } from "../../ui/markdown/code-block";
import { EntryLabel, EntryLabelField } from "./entry-label";

const MessageReferences = lazy(async () => ({ default: (await import("./message-references")).MessageReferences }));
const OriginNote = lazy(async () => ({ default: (await import("./origin-note")).OriginNote }));
const UserMenu = lazy(async () => ({ default: (await import("./user-menu")).UserMenu }));
const LazyTextEditor = lazy(async () => ({ default: (await import("./text-editor")).TextEditor }));

/** Messages with more lines are collapsed. */
const foldFromLines = 16;
const foldFromChars = 2_000;

export function UserCard({ message }: { readonly message: MessageEntry }) {
  const messages = useConversationMessages();
  const { branchControls } = useConversationActions();
  const { labels, sendKey, isIdle } = useConversationFacts();
  const [doing, setDoing] = useState<"edit" | "name" | null>(null);
  const text = joinTextBlocks(message.blocks.filter((block) => block.type !== "input"));
  const { from, seq } = message;
  const name = labels[seq] ?? "";
  if (doing === "edit" && isIdle && branchControls !== null && from !== undefined)
    return (
      <article aria-label={messages.chat.you} className={classes(cardClass, "border-accent")}>
        <Suspense fallback={<div className="whitespace-pre-wrap">{text}</div>}>
          <LazyTextEditor
            text={text}
            name={messages.messageActions.editing}
            saveLabel={messages.messageActions.send}
            note={messages.messageActions.editNote}
            sendKey={sendKey}
            onSave={(next) => branchControls.resend(from, { text: next, ...resentAttachments(message) })}
            onCancel={() => setDoing(null)}
          />
        </Suspense>
      </article>
    );
  return (
    <article
      aria-label={messages.chat.you}
      className={classes(cardClass, "group relative border-line", branchControls !== null && "pointer-coarse:pr-12")}
    >
      {doing === "name" ? (
        <EntryLabelField
          name={name}
          onDone={(next) => {
            setDoing(null);
            if (next !== null) branchControls?.setLabel(seq, next);
          }}
        />
      ) : (
        name !== "" && <EntryLabel name={name} />
      )}
      {message.origin !== undefined && (
        <Suspense fallback={<div className="h-5" />}>
          <OriginNote origin={message.origin} />
        </Suspense>
      )}
      <MessageBody message={message} text={text} />
      {doing === "name" ? null : branchControls === null || from === undefined ? (
        <CopyButton
          text={() => text}
          name={messages.chat.copyMessage}
          doneName={messages.common.copied}
          className="absolute top-1.5 right-1.5 bg-raised opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100 max-tablet:hidden"
        />
      ) : (
        <Suspense>
          <UserMenu
            text={text}
            from={from}
            isNamed={name !== ""}
            onEdit={() => setDoing("edit")}
            onName={() => setDoing("name")}
          />
        </Suspense>
      )}
    </article>
  );
}

const cardClass = "rounded-card border bg-raised px-3.5 py-2.5 text-talk";

function MessageBody({ message, text }: { readonly message: MessageEntry; readonly text: string }) {
  const messages = useMessages();
  const [open, setOpen] = useState(false);
  const long = text.length > foldFromChars || text.split("\n").length > foldFromLines;
  const images = messageImageRefs(message.blocks);
  const references = referenceBlocks(message.blocks);
  const plan = readPlanMessage(text);
  const evictedPins = message.blocks.flatMap((block) =>
    block.type === "context" && block.topic === "pins" ? readEvictedPins(block.text) : [],
  );
  return (
    <>
      <div
        dir="auto"
        className={classes(
          "whitespace-pre-wrap [overflow-wrap:anywhere]",
          long && !open && "max-h-60 overflow-hidden mask-b-from-80%",
        )}
      >
        {plan.length > 0 && (
          <>
            {text.split("\n", 1)}
            <PlanSteps items={plan} isRunning={false} className="mt-1 whitespace-normal" />
          </>
        )}
        {(plan.length > 0 ? [] : splitFencedParts(text)).map((part, index) =>
          part.kind === "text" ? (
            <div key={index}>
              <InlineCodeText text={part.text} />
            </div>
          ) : (
            <CodeBlock key={index} code={part.code} info={part.info} finished lineBefore={part.lineBefore} />
          ),
        )}
      </div>
      {long && (
        <button type="button" onClick={() => setOpen(!open)} className="mt-1 text-base text-accent">
          {open ? messages.common.showLess : messages.common.showAll}
        </button>
      )}
      {images.length > 0 && <MessageImages images={images} />}
      {references.length + evictedPins.length > 0 && (
        <Suspense fallback={<div className="mt-2 h-6" />}>
          <MessageReferences references={references} evictedPins={evictedPins} />
        </Suspense>
      )}
    </>
  );
}

/** Thumbnails, or the number of images where they cannot be loaded. */
function MessageImages({ images }: { readonly images: readonly ImageRef[] }) {
  const { chat } = useMessages();
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
  const { chat } = useMessages();
  const loadThis = useCallback(() => load(blob), [load, blob]);
  return <StoredImage load={loadThis} name={chat.image(number)} className="h-28 max-w-full min-w-16" />;
}

/** Plain text; only `code` between backticks is formatted. */
function InlineCodeText({ text }: { readonly text: string }) {
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
