import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { loadLanguage } from "./language";
import { declarationLines } from "./sticky-scroll";

const text = `class Stock {
  get() {
    return 1;
  }
  set() { one();
    two();
  }
}
const x = 1;
`;

/** The state of a text that is parsed whatever the load of the machine. */
async function parse(doc: string): Promise<EditorState> {
  const state = EditorState.create({ doc, extensions: await loadLanguage("typescript") });
  ensureSyntaxTree(state, doc.length, 60_000);
  return state.update({}).state;
}

test.each([
  [1, []],
  [2, [1]],
  [3, [1, 2]],
  [4, [1, 2]],
  [5, [1]],
  [6, [1, 5]],
  [8, [1]],
  [9, []],
])("above line %i are the first lines of the declarations that contain it: %j", async (line, expected) => {
  const state = await parse(text);
  expect(declarationLines(state, state.doc.line(line).from)).toEqual(expected);
});

test("declarations that start in one line share it", async () => {
  const state = await parse("class A { run() {\n  one();\n} }\n");
  expect(declarationLines(state, state.doc.line(2).from)).toEqual([1]);
});
