/** Completes sections and keys of a YAML file with two levels, with a description of each. Pure. */
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { Text } from "@codemirror/state";

export interface YamlKey {
  readonly section: string;
  readonly name: string;
  readonly label: string;
  readonly note?: string | undefined;
}

export function completeYamlKeys(
  keys: readonly YamlKey[],
  { state, pos, explicit }: Pick<CompletionContext, "state" | "pos" | "explicit">,
): CompletionResult | null {
  const line = state.doc.lineAt(pos);
  const [, indent, typed] = /^(\s*(?:- )?)([\w-]*)$/.exec(line.text.slice(0, pos - line.from)) ?? [];
  if (indent === undefined || typed === undefined || (typed === "" && !explicit)) return null;
  const options = indent === "" ? sectionOptions(keys) : keyOptions(keys, sectionAbove(state.doc, line.number));
  return options.length === 0 ? null : { from: pos - typed.length, options, validFor: /^[\w-]*$/ };
}

const sectionOptions = (keys: readonly YamlKey[]) =>
  [...new Set(keys.map(({ section }) => section))].map((section) => ({
    label: section,
    apply: `${section}:\n  `,
    detail: keys
      .filter((key) => key.section === section)
      .map(({ label }) => label)
      .join(", "),
  }));

const keyOptions = (keys: readonly YamlKey[], section: string | undefined) =>
  keys
    .filter((key) => key.section === section)
    .map(({ name, label, note }) => ({
      label: name,
      apply: `${name}: `,
      detail: label,
      ...(note === undefined ? {} : { info: note }),
    }));

/** Returns the last unindented key above a line. */
function sectionAbove(text: Text, from: number): string | undefined {
  for (let number = from - 1; number >= 1; number -= 1) {
    const [, section] = /^([\w-]+):/.exec(text.line(number).text) ?? [];
    if (section !== undefined) return section;
  }
  return undefined;
}
