/** Data types of a path in conflict: its versions in git, and the regions that are marked in the file. */
import type { Hash } from "../events/id";
import type { ConflictTake } from "../text/conflict-markers";
import type { ConflictSide } from "./source-control";

/** A version of a path that git has. */
export interface ConflictVersion {
  readonly kind: "file" | "link" | "submodule";
  /** Abbreviated; of a submodule its commit. */
  readonly object: string;
}

/** A region between markers, in the order of the file. */
export interface ShownRegion {
  /** Line of its first marker, from 1. */
  readonly line: number;
  readonly ours: string;
  readonly theirs: string;
  /** null = the markers have no common version. */
  readonly base: string | null;
  /** Beside the markers: a branch or a commit; "" = nothing. */
  readonly names: { readonly ours: string; readonly theirs: string };
  /** The texts are only the first part. */
  readonly isCut?: true;
}

export interface SourceConflict {
  /** null = that side does not have the path. */
  readonly sides: Readonly<Record<ConflictSide, ConflictVersion | null>>;
  /** Hash of the file that the regions are of; null = there is no file. */
  readonly hash: Hash | null;
  readonly regions: readonly ShownRegion[];
  /** Number of regions beyond the limit. */
  readonly more: number;
  /** Line of a marker that belongs to no region, so that only the editor can resolve it; null = there is none. */
  readonly looseLine: number | null;
  /** The side whose content the file has now; null = none, or it is no regular file. */
  readonly now: ConflictSide | null;
  /** Why there are no regions. */
  readonly why?: "binary" | "too_large";
}

/** The lines that replace one region of a file; `region` = its index. */
export interface RegionChoice {
  readonly region: number;
  readonly take: ConflictTake;
}
