"use client";
/** Stores unsent text per session in this browser. Fails silently if storage is full or disabled. */
import type { ImageRef } from "@/lib/events/content";

const draftKeyPrefix = "gopi-web.draft.";
const imageDraftKeyPrefix = "gopi-web.draft-images.";

export function readDraft(key: string): string {
  try {
    return localStorage.getItem(draftKeyPrefix + key) ?? "";
  } catch {
    return "";
  }
}

export function writeDraft(key: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(draftKeyPrefix + key);
    else localStorage.setItem(draftKeyPrefix + key, text);
  } catch {
    // Cannot be fixed here: the text is still in the field.
  }
}

/** Reads the images of the draft. */
export function readDraftImages(key: string): readonly ImageRef[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(imageDraftKeyPrefix + key) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isImageRef) : [];
  } catch {
    return [];
  }
}

export function writeDraftImages(key: string, images: readonly ImageRef[]): void {
  try {
    if (images.length === 0) localStorage.removeItem(imageDraftKeyPrefix + key);
    else localStorage.setItem(imageDraftKeyPrefix + key, JSON.stringify(images));
  } catch {
    // Cannot be fixed here: the images are still in the composer.
  }
}

const isImageRef = (value: unknown): value is ImageRef =>
  typeof value === "object" &&
  value !== null &&
  "blob" in value &&
  typeof value.blob === "string" &&
  "mime" in value &&
  typeof value.mime === "string";
