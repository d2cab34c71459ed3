"use client";
/** Shows the attachments of the message that is being written: images and references. */
import { lazy, Suspense } from "react";
import { optionalAttachments } from "@/lib/events/content";
import type { UnsentAttachments } from "../../state/session/open-session-store";
import type { Messages } from "../../messages/messages";
import type { LoadImage } from "./image-chips";
import { longTextReference, textFileReference } from "./references/added-references";
import type { DraftReferences } from "./references/use-references";
import { type DraftImages, isImage } from "./use-images";
import type { AttachmentAdder } from "./use-paste-limit";

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

/** `messages` = those of the composer. */
export const attachmentAdder = (
  images: DraftImages,
  references: DraftReferences,
  { references: text }: Messages["composer"],
): AttachmentAdder => ({
  addFiles: (files) => {
    const hasImages = images.addFiles(files);
    const others = hasImages ? files.filter((file) => !isImage(file)) : files;
    if (!references.isAvailable || others.length === 0) return hasImages;
    void Promise.all(others.map(textFileReference)).then((read) => {
      for (const reference of read) if (reference !== null) references.add(reference);
      // Last, since an added one removes the sentence.
      const refused = others.find((_file, index) => read[index] === null);
      if (refused !== undefined) references.refuse(text.notText(refused.name));
    });
    return true;
  },
  addText: (pasted) => {
    const long = references.isAvailable ? longTextReference(pasted, text.pasted) : null;
    if (long !== null) references.add(long);
    return long !== null;
  },
  addReferences: (added) => {
    if (!references.isAvailable || added.length === 0) return false;
    added.forEach(references.add);
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
