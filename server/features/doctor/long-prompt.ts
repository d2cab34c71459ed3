/** Long texts for prompts that are measured. */
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { doctorText } from "@/server/prompts/doctor";

const fillerWords = {
  colour: ["red", "green", "blue", "yellow", "white", "black", "grey"],
  shelf: ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"],
  things: ["screws", "lamps", "cables", "brushes", "candles", "ropes", "hinges", "buckets", "tiles"],
  place: ["workshop", "kitchen", "garden", "office", "harbour", "school", "library", "cellar"],
};

/** Text of about `tokens` estimated tokens: the first end, filler lines, the second end. */
export function longPrompt(ends: readonly [first: string, last: string], tokens: number): string {
  const lines: string[] = [];
  let left = tokens - ends.reduce((sum, text) => sum + estimateTokens(text), 0);
  for (let index = 0; left > 0; index += 1) {
    const line = doctorText("filler", {
      colour: cycle(fillerWords.colour, index),
      shelf: cycle(fillerWords.shelf, index),
      things: cycle(fillerWords.things, index),
      place: cycle(fillerWords.place, index),
    });
    left -= estimateTokens(`${line}\n`);
    lines.push(line);
  }
  return [ends[0], ...lines, ends[1]].join("\n");
}

const cycle = (list: readonly string[], index: number): string => list[index % list.length] ?? "";
