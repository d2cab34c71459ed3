"use client";
/** Which undecided change of a file is shown, by its content: the one that follows a decided one is shown next. */
import { useMemo, useState } from "react";
import { keyHunks } from "@/lib/review/key-hunks";
import type { ReviewedHunk } from "@/lib/review/review-hunks";

interface ShownHunk {
  readonly key: string;
  readonly index: number;
  /** The user decided it: once it is gone, the change at its index is shown. */
  readonly isDecided: boolean;
}

export interface HunkWalk {
  /** Index and key of the shown hunk; null = none. */
  readonly shown: Pick<ShownHunk, "index" | "key"> | null;
  /** null = shows none. */
  readonly show: (index: number | null) => void;
  /** Whether the shown hunk, when it is gone, is followed by another one. */
  readonly follow: (isDecided: boolean) => void;
}

export function useHunkWalk(hunks: readonly ReviewedHunk[]): HunkWalk {
  const keys = useMemo(() => keyHunks(hunks), [hunks]);
  const [chosen, choose] = useState<ShownHunk | null>(null);
  const found = findAgain(chosen, keys);
  if (found?.key !== chosen?.key || found?.index !== chosen?.index) choose(found);
  return {
    shown: found,
    show: (index) => {
      const key = index === null ? undefined : keys[index];
      choose(index === null || key === undefined ? null : { key, index, isDecided: false });
    },
    follow: (isDecided) => choose((now) => now && { ...now, isDecided }),
  };
}

function findAgain(chosen: ShownHunk | null, keys: readonly string[]): ShownHunk | null {
  if (chosen === null) return null;
  const index = keys.indexOf(chosen.key);
  if (index >= 0) return { ...chosen, index };
  if (!chosen.isDecided) return null;
  const next = chosen.index < keys.length ? chosen.index : 0;
  const key = keys[next];
  return key === undefined ? null : { key, index: next, isDecided: false };
}
