"use client";
/** What was typed and not sent, kept in this browser per session. Storage that is full or off loses it silently. */
import type { ImageRef } from "@/lib/content";

const prefix = "gopi-web.draft.";
const imagePrefix = "gopi-web.draft-images.";

export function readDraft(key: string): string {
  try {
    return localStorage.getItem(prefix + key) ?? "";
  } catch {
    return "";
  }
}

export function writeDraft(key: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(prefix + key);
    else localStorage.setItem(prefix + key, text);
  } catch {
    // Nothing to be done: the text stands in the field.
  }
}

/** Images of the draft: kept with it, in this tab alone. */
export function readDraftImages(key: string): readonly ImageRef[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(imagePrefix + key) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isImageRef) : [];
  } catch {
    return [];
  }
}

export function writeDraftImages(key: string, images: readonly ImageRef[]): void {
  try {
    if (images.length === 0) sessionStorage.removeItem(imagePrefix + key);
    else sessionStorage.setItem(imagePrefix + key, JSON.stringify(images));
  } catch {
    // Nothing to be done: the images are in the composer.
  }
}

const isImageRef = (value: unknown): value is ImageRef =>
  typeof value === "object" &&
  value !== null &&
  "blob" in value &&
  typeof value.blob === "string" &&
  "mime" in value &&
  typeof value.mime === "string";
