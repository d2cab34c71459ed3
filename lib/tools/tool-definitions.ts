/**
 * Tools of a source as the user approved them, and as the source defines them now. A tool can be called only while both
 * are the same. Pure.
 */
import type { Json } from "../events/content";
import type { Hash } from "../events/id";
import { toSortedJson } from "./sorted-json";

/** Definition of a tool by its source. */
export interface ToolDefinition {
  readonly description: string;
  /** JSON Schema as the source sent it. */
  readonly parameters: Json;
  /** Why the schema was left out; absent = it is whole. */
  readonly unusable?: string;
  /** Hash of all that the source says of it; absent = that is the description and the schema. */
  readonly hash?: Hash;
}

export interface StoredTool<D extends ToolDefinition = ToolDefinition> {
  /** Its own name at the source. */
  readonly ownName: string;
  /** null = it was not there when the source was approved. */
  readonly approved: D | null;
  /** null = the source does not offer it any more. */
  readonly current: D | null;
  readonly isOff: boolean;
  readonly isPinned: boolean;
}

export interface ListedTool<D extends ToolDefinition = ToolDefinition> {
  readonly ownName: string;
  readonly definition: D;
}

export type StoredToolState = "ready" | "off" | "new" | "changed" | "gone";

/** JSON with sorted keys: the order of keys is no change. */
export const canonicalDefinition = ({ description, parameters, unusable }: ToolDefinition): string =>
  toSortedJson([description, parameters, ...(unusable === undefined ? [] : [unusable])]);

/** The last comparison of a definition: a stored tool is compared again for each list of tools. */
const compared = new WeakMap<ToolDefinition, { readonly other: ToolDefinition; readonly isSame: boolean }>();

function isSame(one: ToolDefinition, other: ToolDefinition): boolean {
  if (one === other) return true;
  if (one.hash !== undefined) return one.hash === other.hash;
  const last = compared.get(one);
  if (last?.other === other) return last.isSame;
  const same = canonicalDefinition(one) === canonicalDefinition(other);
  compared.set(one, { other, isSame: same });
  return same;
}

export function storedToolState({ approved, current, isOff }: StoredTool): StoredToolState {
  if (current === null) return "gone";
  if (approved === null) return "new";
  if (!isSame(approved, current)) return "changed";
  return isOff ? "off" : "ready";
}

const byName = (a: { readonly ownName: string }, b: { readonly ownName: string }): number =>
  a.ownName < b.ownName ? -1 : 1;

/** Returns the tools of a source that the user approves as a whole; switches and pins of an earlier approval stay. */
export const approveAll = <D extends ToolDefinition>(
  stored: readonly StoredTool<D>[],
  listed: readonly ListedTool<D>[],
): readonly StoredTool<D>[] =>
  mergeListed(stored, listed).flatMap((tool) => (tool.current === null ? [] : [{ ...tool, approved: tool.current }]));

/** Returns the tools after the source listed `listed`. Of two with one name the first counts. Ordered by name. */
export function mergeListed<D extends ToolDefinition>(
  stored: readonly StoredTool<D>[],
  listed: readonly ListedTool<D>[],
): readonly StoredTool<D>[] {
  const left = new Map<string, D>();
  for (const { ownName, definition } of listed) if (!left.has(ownName)) left.set(ownName, definition);
  const retained = stored.flatMap((tool): readonly StoredTool<D>[] => {
    const current = left.get(tool.ownName) ?? null;
    left.delete(tool.ownName);
    // A tool that was never approved leaves nothing behind.
    return current === null && tool.approved === null ? [] : [{ ...tool, current }];
  });
  const added = [...left].map(
    ([ownName, current]): StoredTool<D> => ({ ownName, approved: null, current, isOff: false, isPinned: false }),
  );
  return [...retained, ...added].toSorted(byName);
}

/** Returns the tools after the user approved these as they are now; a tool that is gone is forgotten. */
export const approveTools = <D extends ToolDefinition>(
  stored: readonly StoredTool<D>[],
  names: ReadonlySet<string>,
): readonly StoredTool<D>[] =>
  stored.flatMap((tool) => {
    if (!names.has(tool.ownName)) return [tool];
    return tool.current === null ? [] : [{ ...tool, approved: tool.current }];
  });

/**
 * Returns the tools with those approved whose present definition is approved in `approved`, lists of the same source; they
 * have the switches of that list.
 */
export function adoptApproved(tools: readonly StoredTool[], approved: readonly StoredTool[]): readonly StoredTool[] {
  return tools.map((tool) => {
    const { ownName, current } = tool;
    const state = storedToolState(tool);
    if (current === null || (state !== "new" && state !== "changed")) return tool;
    const same = approved.find(
      (one) => one.ownName === ownName && one.approved !== null && isSame(one.approved, current),
    );
    return same === undefined ? tool : { ...tool, approved: current, isOff: same.isOff, isPinned: same.isPinned };
  });
}
