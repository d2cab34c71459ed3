/** Long answers in the form that models write: paragraphs, lists, code; some 10,000 pieces of about one token. */

const paragraphSection =
  "The function reads each line and keeps the ones that match, so the cost grows with the number of lines and not with their length. ";
const listSection = "\n\n- first look at the callers\n- then change the signature\n- then run the tests again\n\n";
const codeSection =
  "\n\n```ts\nexport function total(values: readonly number[]): number {\n  let sum = 0;\n  for (const value of values) sum += value;\n  return sum;\n}\n```\n\n";
const answerSections = [
  paragraphSection,
  paragraphSection,
  paragraphSection,
  listSection,
  paragraphSection,
  paragraphSection,
  codeSection,
];

/** Returns an answer of exactly `tokens` pieces; the last one is the mark. */
export function longAnswer(tokens: number, mark: string): readonly string[] {
  const pieces: string[] = [];
  for (let section = 0; pieces.length < tokens - 1; section += 1) {
    const text = answerSections[section % answerSections.length] ?? "";
    const end = section % 3 === 2 && text === paragraphSection ? "\n\n" : "";
    pieces.push(...((text + end).match(/\s*\S{1,6}|\s+/gu) ?? []));
  }
  return [...pieces.slice(0, tokens - 1), `\n\n${mark}`];
}

/** Returns an answer of `tokens` pieces, each with the time it was written; the mark is the last. */
export const stampedAnswer = (tokens: number, mark: string): readonly string[] => [
  ...Array.from({ length: tokens - 1 }, (_, index) => `{now}${index % 40 === 39 ? "\n\n" : " "}`),
  `\n\n${mark}`,
];
