"use client";
/** Thumbnails of the images that will be sent with the next message, each with a remove button. */
import { X } from "lucide-react";
import { useCallback } from "react";
import { useMessages } from "../../messages/messages";
import type { ImageRef } from "@/lib/events/content";
import type { BlobId } from "@/lib/events/id";
import { IconButton } from "../../ui/controls/icon-button";
import { StoredImage } from "../../ui/indicators/stored-image";
import type { DraftImages } from "./use-images";

export type LoadImage = (blob: BlobId) => Promise<string | null>;

interface ImageChipsProps {
  readonly images: DraftImages;
  /** Why they cannot be sent; null = they can. */
  readonly block: string | null;
  readonly load: LoadImage;
}

export function ImageChips({ images, block, load }: ImageChipsProps) {
  const { composer } = useMessages();
  return (
    <>
      {images.list.length > 0 && (
        <ul aria-label={composer.images} className="flex flex-wrap gap-2 px-4 pt-3">
          {images.list.map((image, index) => (
            <ImageChip
              key={image.blob}
              image={image}
              number={index + 1}
              load={load}
              onRemove={() => images.remove(image.blob)}
            />
          ))}
        </ul>
      )}
      {block !== null && (
        <p role="status" className="px-4 pt-1 text-small text-ask">
          {block}
        </p>
      )}
      {images.isAdding && (
        <p role="status" className="px-4 pt-1 text-small text-ink-muted first:pt-3">
          {composer.addingImage}
        </p>
      )}
      {images.refusal !== null && (
        <p role="status" className="px-4 pt-1 text-small text-ask first:pt-3">
          {images.refusal}
        </p>
      )}
    </>
  );
}

interface ImageChipProps {
  readonly image: ImageRef;
  readonly number: number;
  readonly load: LoadImage;
  readonly onRemove: () => void;
}

function ImageChip({ image: { blob }, number, load, onRemove }: ImageChipProps) {
  const { composer } = useMessages();
  const loadThis = useCallback(() => load(blob), [load, blob]);
  return (
    <li className="relative">
      <StoredImage load={loadThis} name={composer.image(number)} className="size-16" />
      <IconButton
        icon={X}
        size="small"
        name={composer.removeImage(number)}
        onClick={onRemove}
        className="absolute -top-2 -right-2 rounded-full border border-line bg-raised"
      />
    </li>
  );
}
