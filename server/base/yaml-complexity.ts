/** Whether a YAML text would take its parser too long: it needs much time for deep nesting and for many marks. */

const maxNesting = 32;
const marks: ReadonlySet<string> = new Set("[]{},:?&*!%#|>-\"'");
const nestedList = new RegExp(`(?:[-?][ \\t]+){${maxNesting}}`);

export function isComplexYaml(text: string, maxMarks: number): boolean {
  let depth = 0;
  let markCount = 0;
  for (const character of text) {
    if (marks.has(character)) markCount += 1;
    if (character === "[" || character === "{") depth += 1;
    else if ((character === "]" || character === "}") && depth > 0) depth -= 1;
    if (depth > maxNesting || markCount > maxMarks) return true;
  }
  return nestedList.test(text);
}
