/** Filters and ranks the palette's choices by the typed text, best match first. Pure. */

export interface PaletteChoice {
  readonly id: string;
  readonly isCommand: boolean;
  readonly label: string;
  readonly group: string;
  readonly keys?: string;
  readonly perform: () => void;
}

const maxShown = 60;

/** Rank of a label: 4 prefix, 3 word prefix, 2 substring, 1 letters in order, 0 no match. */
export function matchRank(label: string, typed: string): number {
  const text = label.toLowerCase();
  if (text.startsWith(typed)) return 4;
  const at = text.indexOf(typed);
  if (at > 0) return /[\s/._-]/.test(text.charAt(at - 1)) ? 3 : 2;
  let from = 0;
  for (const letter of typed) {
    const next = text.indexOf(letter, from);
    if (next < 0) return 0;
    from = next + 1;
  }
  return 1;
}

export function matchChoices(choices: readonly PaletteChoice[], text: string): readonly PaletteChoice[] {
  const onlyCommands = text.startsWith(">");
  const typed = text.replace(/^>/, "").trim().toLowerCase();
  const open = onlyCommands ? choices.filter((choice) => choice.isCommand) : choices;
  if (typed === "") return open.slice(0, maxShown);
  return open
    .map((choice) => ({ choice, fit: matchRank(choice.label, typed) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .slice(0, maxShown)
    .map(({ choice }) => choice);
}
