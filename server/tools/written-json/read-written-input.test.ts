import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { readNativeInput } from "./read-written-input";

const write = { path: "a.ts", content: "one\ntwo 'q' \"r\"\n" };

describe("input of a native call", () => {
  test.each<readonly [string, string, object]>([
    ["plain JSON", JSON.stringify(write), write],
    ["encoded twice", JSON.stringify(JSON.stringify(write)), write],
    ["encoded three times", JSON.stringify(JSON.stringify(JSON.stringify(write))), write],
    ["a trailing comma", '{"path": "a.ts", "limit": 20,}', { path: "a.ts", limit: 20 }],
    [
      "a trailing comma in a list",
      '{"edits": [{"old_string": "a", "new_string": "b"},],}',
      { edits: [{ old_string: "a", new_string: "b" }] },
    ],
    ["single quotes", "{'path': 'a.ts', 'content': 'x'}", { path: "a.ts", content: "x" }],
    ["raw line breaks", '{"path": "a.ts", "content": "one\ntwo\n"}', { path: "a.ts", content: "one\ntwo\n" }],
    ["raw tabs", '{"content": "\tone"}', { content: "\tone" }],
    [
      "Python literals",
      "{'path': 'a.ts', 'replace_all': True, 'glob': None}",
      { path: "a.ts", replace_all: true, glob: null },
    ],
    ["bare keys", "{path: 'a.ts', limit: 5}", { path: "a.ts", limit: 5 }],
    [
      "a text of slips, encoded once more",
      JSON.stringify("{'path': 'a.ts', 'all': False,}"),
      { path: "a.ts", all: false },
    ],
    ["a fence", '```json\n{"path": "a.ts"}\n```', { path: "a.ts" }],
    ["a list of one", '[{"path": "a.ts"}]', { path: "a.ts" }],
    ["a semicolon behind it", '{"path": "a.ts"};\n', { path: "a.ts" }],
    ["comments", '{"path": "a.ts", // the file\n "limit": 5}', { path: "a.ts", limit: 5 }],
    ["a missing closer", '{"path": "a.ts", "limit": 5, "x": "y"', { path: "a.ts", limit: 5, x: "y" }],
  ])("is repaired: %s", (_slip, written, input) => {
    expect(readNativeInput(written)).toEqual(input);
  });

  test.each([
    '{"command": "rm -rf build/ca',
    "{'command': 'rm -rf build/ca",
    '"{\\"command\\": \\"rm -rf build/ca',
    '```json\n{"command": "rm -rf build/ca',
    '[{"command": "rm -rf build/ca',
    '{"command": "ls", "timeout": 3',
    '{"command"',
    '{"command": tru',
    '{"command": "ls"} and then {"command": "rm a"}',
  ])("stays text if cut off or not a single value, so that no command runs: %s", (written) => {
    const input = readNativeInput(written);
    expect(input).toBe(written);
    expect(
      builtInSource
        .tools()
        .find((tool) => tool.name === "bash")
        ?.parse(input).ok,
    ).toBe(false);
  });

  test("with a long fence is read", () => {
    const lines = "\n".repeat(100_000);
    const open = `\`\`\`${lines}{"path": "a.ts"}${lines}x`;
    expect(readNativeInput(open)).toBe(open);
    expect(readNativeInput(`\`\`\`${lines}{"path": "a.ts"}${lines}\`\`\``)).toEqual({ path: "a.ts" });
  });

  test("cut anywhere, never yields a shorter value", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(), (path, content, at) => {
        const whole = JSON.stringify({ path, content });
        const read = readNativeInput(whole.slice(0, at % whole.length));
        if (typeof read === "string") return;
        for (const [name, value] of Object.entries(read ?? {})) expect(value).toBe(name === "path" ? path : content);
      }),
    );
  });

  test.each<readonly [object | null]>([[{ path: "a" }], [["a"]], [null]])(
    "that is no text stays as it is: %j",
    (input) => {
      expect(readNativeInput(JSON.parse(JSON.stringify(input)))).toEqual(input);
    },
  );
});
