/** Effects of a part of a shell command, as codes for the approval card. */
import type { CommandPart } from "../events/tool-kind";

/** Ordered by risk, highest first; the approval card sorts by this order. */
export const commandEffects = [
  "elevates",
  "writes_outside",
  "force_pushes",
  "discards",
  "deletes",
  "system",
  "publishes",
  "pushes",
  "installs",
  "stops",
  "network",
  /** Requests to this machine only. */
  "local_network",
  "unclear",
  "runs",
  "permissions",
  "repository",
  "writes",
  "reads_outside",
  "reads",
] as const;
export type CommandEffect = (typeof commandEffects)[number];

const effectRank = (effect: CommandEffect): number => commandEffects.indexOf(effect);

/** Returns the distinct effects, highest risk first. `reads` is dropped if there is any other effect. */
export function sortEffects(effects: Iterable<CommandEffect>): readonly CommandEffect[] {
  const sorted = [...new Set(effects)].sort((a, b) => effectRank(a) - effectRank(b));
  return sorted.length > 1 ? sorted.filter((effect) => effect !== "reads") : sorted;
}

const riskRank = { refused: 0, asks: 1, rule: 2, reads: 3 } as const satisfies Record<CommandPart["risk"], number>;

const highestEffectRank = ({ effects }: CommandPart): number =>
  effects?.[0] === undefined ? commandEffects.length : effectRank(effects[0]);

/** Merges equal parts with their count and sorts them by risk, highest first; ties keep the order of the command. */
export function mergeAndSortParts(parts: readonly CommandPart[]): readonly CommandPart[] {
  const merged = new Map<string, CommandPart>();
  for (const part of parts) {
    const text = part.text.trim();
    const existing = merged.get(text);
    merged.set(text, existing === undefined ? { ...part, text } : mergeCommandParts(existing, part));
  }
  return [...merged.values()].sort(
    (a, b) => riskRank[a.risk] - riskRank[b.risk] || highestEffectRank(a) - highestEffectRank(b),
  );
}

/** Merges two parts with equal text: the higher risk, the effects of both, the sum of their counts. */
export function mergeCommandParts(one: CommandPart, other: CommandPart): CommandPart {
  const effects =
    one.effects === undefined && other.effects === undefined
      ? {}
      : { effects: sortEffects([...(one.effects ?? []), ...(other.effects ?? [])]) };
  const risk = riskRank[other.risk] < riskRank[one.risk] ? other.risk : one.risk;
  return { ...one, ...effects, risk, times: (one.times ?? 1) + (other.times ?? 1) };
}
