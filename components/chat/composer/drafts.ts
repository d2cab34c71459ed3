"use client";
/** What was typed and not sent, kept in this browser per session. Storage that is full or off loses it silently. */
const prefix = "gopi-web.draft.";

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
