/** The rules of eslint.config.mjs for keys that an input method handles, in a new component. */
import { ESLint } from "eslint";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const eslint = new ESLint({ cwd: fileURLToPath(new URL("../..", import.meta.url)) });

/** Whether a component with these handlers has an error about input methods. */
async function isRefused(...handlers) {
  const fields = handlers.map((handler) => `<input onKeyDown={${handler}} />`);
  const code = `export const NewField = () => <p>${fields.join("")}</p>;\n`;
  const [result] = await eslint.lintText(code, { filePath: "components/search/new-field.tsx" });
  return result.messages.some(({ message }) => message.includes("isForInputMethod"));
}

test.each([
  '(event) => event.key === "Enter" && save()',
  'async (event) => { if (event.key === "Enter") await save(); }',
  'function handle(event) { if (event.shiftKey || event.key !== "Enter") return; save(); }',
  '({ nativeEvent }) => { if (nativeEvent.key === "Enter") save(); }',
  '(event) => { switch (event.key) { case "Enter": save(); } }',
  '(event) => "Enter" === event.key && save()',
  '(event) => ["Enter", "Tab"].includes(event.key) && save()',
  "(event) => { if (event.isComposing) return; save(); }",
  "(event) => { if (event.nativeEvent.isComposing) return; save(); }",
])("%s is refused", async (handler) => expect(await isRefused(handler)).toBe(true));

test.each([
  '(event) => { if (event.key !== "Enter" || isForInputMethod(event.nativeEvent)) return; save(); }',
  '(event) => { if (isForInputMethod(event)) return; if (event.key === "Enter") save(); }',
  '(event) => event.key === "Tab" && next()',
  '(event) => choose(event.target.value === "Enter")',
  "(event) => save({ isComposing: false })",
])("%s is accepted", async (handler) => expect(await isRefused(handler)).toBe(false));

test("a field that calls it does not answer for another field of the component", async () => {
  const right = "(event) => { if (isForInputMethod(event)) return; save(); }";
  expect(await isRefused(right, '(event) => { if (event.key === "Enter") save(); }')).toBe(true);
});
