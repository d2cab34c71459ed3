"use client";
/** Images of the composer's draft: added by paste and drop, stored per tab until they are sent. */
import { useEffect, useState } from "react";
import { useMessages } from "../../messages/messages";
import type { ImageRef } from "@/lib/events/content";
import type { BlobId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { readDraftImages, writeDraftImages } from "./drafts/drafts";

/** A stored image, or a sentence that explains the refusal. */
export type AddedImage =
  | { readonly ok: true; readonly image: ImageRef }
  | { readonly ok: false; readonly refusal: string };

export interface DraftImages {
  readonly list: readonly ImageRef[];
  readonly isAdding: boolean;
  /** Why the last image was not added; null = it was. */
  readonly refusal: string | null;
  readonly remove: (blob: BlobId) => void;
  /** Restores images that were not sent. */
  readonly addAll: (images: readonly ImageRef[]) => void;
  /** Clears the list and returns its images. */
  readonly take: () => readonly ImageRef[];
  /** Adds the images among the files; false = there are none, or images cannot be added here. */
  readonly addFiles: (files: readonly File[]) => boolean;
}

export function useImages(draftKey: string, add: ((file: File) => Promise<AddedImage>) | undefined): DraftImages {
  const { composer, figures } = useMessages();
  const [list, setList] = useState(() => (typeof window === "undefined" ? [] : readDraftImages(draftKey)));
  const [adding, setAdding] = useState(0);
  const [refusal, setRefusal] = useState<string | null>(null);
  const change = (next: (now: readonly ImageRef[]) => readonly ImageRef[]): void =>
    setList((now) => {
      const changed = next(now);
      writeDraftImages(draftKey, changed);
      return changed;
    });
  const putBack = (images: readonly ImageRef[]): void => change((now) => appendImages(now, images));
  const addFile = async (file: File): Promise<void> => {
    if (add === undefined) return;
    if (file.size > limits.imageMaxBytes)
      return setRefusal(composer.imageTooLarge(figures.number(limits.imageMaxBytes / 1_000_000)));
    setAdding((count) => count + 1);
    const added = await add(file);
    setAdding((count) => count - 1);
    if (added.ok) putBack([added.image]);
    else setRefusal(added.refusal);
  };
  return {
    list,
    isAdding: adding > 0,
    refusal,
    remove: (blob) => {
      setRefusal(null);
      change((now) => now.filter((image) => image.blob !== blob));
    },
    addAll: (images) => {
      if (appendImages(list, images, images.length + list.length).length > limits.messageImages)
        setRefusal(composer.tooManyImages(figures.number(limits.messageImages)));
      putBack(images);
    },
    take: () => {
      setRefusal(null);
      change(() => []);
      return list;
    },
    addFiles: (files) => {
      const maxCount = limits.messageImages - list.length - adding;
      const images = add === undefined ? null : imageFiles(files, maxCount);
      if (images === null) return false;
      setRefusal(images.isTooMany ? composer.tooManyImages(figures.number(limits.messageImages)) : null);
      for (const file of images.taken) void addFile(file);
      return true;
    },
  };
}

/** Why the images of a draft cannot be sent to its model; null = they can, or it is not known yet. */
export function useImageBlock(hasImages: boolean, check: (() => Promise<string | null>) | undefined): string | null {
  const [found, setFound] = useState<{ readonly check: unknown; readonly reason: string | null } | null>(null);
  useEffect(() => {
    if (!hasImages || check === undefined) return;
    let isCurrent = true;
    void check().then((reason) => isCurrent && setFound({ check, reason }));
    return () => {
      isCurrent = false;
    };
  }, [hasImages, check]);
  return hasImages && found?.check === check ? (found?.reason ?? null) : null;
}

/** An SVG is text: models cannot see it. */
export const isImage = ({ type }: File): boolean => type.startsWith("image/") && type !== "image/svg+xml";

/** Returns the images among the files, at most `maxCount`; null = there are none. */
export function imageFiles(
  files: readonly File[],
  maxCount: number,
): { readonly taken: readonly File[]; readonly isTooMany: boolean } | null {
  const images = files.filter(isImage);
  if (images.length === 0) return null;
  return { taken: images.slice(0, Math.max(0, maxCount)), isTooMany: images.length > maxCount };
}

/** Appends images without duplicates, at most `maxCount` in all. */
function appendImages(
  now: readonly ImageRef[],
  more: readonly ImageRef[],
  maxCount: number = limits.messageImages,
): readonly ImageRef[] {
  const attachedBlobs = new Set(now.map(({ blob }) => blob));
  return [...now, ...more.filter(({ blob }) => !attachedBlobs.has(blob))].slice(0, maxCount);
}
