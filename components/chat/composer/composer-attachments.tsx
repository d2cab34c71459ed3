"use client";
/** Shows the attachments of the message that is being written: images and references. */
import { lazy, Suspense } from "react";
import { optionalAttachments } from "@/lib/events/content";
import type { UnsentAttachments } from "../../state/session/open-session-store";
import type { Messages } from "../../messages/messages";
import type { LoadImage } from "./image-chips";
import { draggedReferences, longTextReference, textFileReference } from "./references/added-references";
import type { DraftReferences } from "./references/use-references";
import type { DraftImages } from "./use-images";
import type { PastedAttachments } from "./use-paste-limit";

const ImageChips = lazy(async () => ({ default: (await import("./image-chips")).ImageChips }));
const ReferenceChips = lazy(async () => ({ default: (await import("./references/reference-chips")).ReferenceChips }));

interface ComposerAttachmentsProps {
  readonly images: DraftImages;
  /** Why they cannot be sent; null = they can. */
  readonly imageBlock: string | null;
  /** Absent = images cannot be added here. */
  readonly loadImage: LoadImage | undefined;
  readonly references: DraftReferences;
  /** Appends the text of a reference to the message. */
  readonly onInsert: (text: string) => void;
  /** The pressed button is gone, and the focus with it. */
  readonly onRemoved: () => void;
}

export function ComposerAttachments(props: ComposerAttachmentsProps) {
  const { images, imageBlock, loadImage, references, onInsert, onRemoved } = props;
  const hasImages = images.list.length > 0 || images.isAdding || images.refusal !== null;
  return (
    <>
      <Suspense>
        {loadImage !== undefined && hasImages && <ImageChips images={images} block={imageBlock} load={loadImage} />}
      </Suspense>
      <Suspense>
        {(references.list.length > 0 || references.refusal !== null) && (
          <ReferenceChips references={references} onInsert={onInsert} onRemoved={onRemoved} />
        )}
      </Suspense>
    </>
  );
}

/** Takes images, long texts and files out of a paste or drop. `messages` = those of the composer. */
export const pastedAttachments = (
  images: DraftImages,
  references: DraftReferences,
  { references: text }: Messages["composer"],
): PastedAttachments => ({
  onPaste: (event) => {
    if (images.onPaste(event)) return true;
    const long = references.isAvailable
      ? longTextReference(event.clipboardData.getData("text/plain"), text.pasted)
      : null;
    if (long === null) return false;
    event.preventDefault();
    references.add(long);
    return true;
  },
  onDrop: (event) => {
    if (images.onDrop(event)) return true;
    const { dataTransfer } = event;
    const dragged = draggedReferences(dataTransfer);
    const files = [...dataTransfer.files];
    if (!references.isAvailable || dragged.length + files.length === 0) return false;
    event.preventDefault();
    dragged.forEach(references.add);
    for (const file of files)
      void textFileReference(file).then((reference) => {
        if (reference === null) references.refuse(text.notText(file.name));
        else references.add(reference);
      });
    return true;
  },
});

/** Clears the attachments of the draft and returns them. */
export const takeAttachments = (images: DraftImages, references: DraftReferences): UnsentAttachments =>
  optionalAttachments({ images: images.take(), references: references.take() });

/** Restores attachments that were not sent. */
export function restoreAttachments(
  { images = [], references = [] }: UnsentAttachments,
  to: { readonly images: DraftImages; readonly references: DraftReferences },
): void {
  to.images.addAll(images);
  to.references.restore(references);
}
