/** Splits the text of a message to the model into its elements: context blocks, added files and what is between. Pure. */

type MessageElement =
  | { readonly kind: "text"; readonly text: string }
  /** `text` = between the tags, `whole` = with them. */
  | { readonly kind: "context"; readonly topic: string; readonly text: string; readonly whole: string }
  /** A file, a folder or a text that was added. `name` with its lines. */
  | { readonly kind: "file"; readonly name: string; readonly text: string; readonly whole: string };

const element =
  /<context about="([a-z]+)">\n([\s\S]*?)\n<\/context>|<(attached_*) (?:file|folder|text)="((?:[^"\\]|\\.)*)"(?: lines="(\d+-\d+)")?>\n([\s\S]*?)\n<\/\3>/g;

export function splitMessageElements(text: string): readonly MessageElement[] {
  const elements: MessageElement[] = [];
  let from = 0;
  const addText = (to: number): void => {
    const between = text.slice(from, to).trim();
    if (between !== "") elements.push({ kind: "text", text: between });
  };
  for (const match of text.matchAll(element)) {
    const [whole, topic, inner = "", , label = "", lines, content = ""] = match;
    addText(match.index);
    from = match.index + whole.length;
    elements.push(
      topic === undefined
        ? { kind: "file", name: lines === undefined ? label : `${label}:${lines}`, text: content, whole }
        : { kind: "context", topic, text: inner, whole },
    );
  }
  addText(text.length);
  return elements;
}
