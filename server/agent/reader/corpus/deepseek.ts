/** DeepSeek R1, V3, V3.1, V3.2. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock, thinkingBlock } from "./reader-case";

const family = "deepseek";

export const deepseekCases: readonly ReaderCase[] = [
  callCase(
    family,
    "R1 and V3",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{"path": "src/a.ts"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [callBlock("read", { path: "src/a.ts" })],
  ),
  callCase(
    family,
    "R1, two calls and its end token",
    'I will look at both.\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>ls\n```json\n{"path": "src"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>bash\n```json\n{"command": "git log -1"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    [textBlock("I will look at both."), callBlock("ls", { path: "src" }), callBlock("bash", { command: "git log -1" })],
  ),
  callCase(
    family,
    "V3.1",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>grep<｜tool▁sep｜>{"pattern": "foo\\\\s+bar"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>ls<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [callBlock("grep", { pattern: "foo\\s+bar" }), callBlock("ls", {})],
  ),
  callCase(
    family,
    "the closers are missing",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read<｜tool▁sep｜>{"path": "a"}',
    [callBlock("read", { path: "a" })],
  ),
  callCase(
    family,
    "V3.2 with its own element prefix",
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="bash">\n<｜DSML｜parameter name="command" string="true">npm run build</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    [callBlock("bash", { command: "npm run build" })],
  ),
  ...["|DSML|", "｜｜DSML｜｜", "‖DSML‖", "||DSML||"].map((bars) =>
    callCase(
      family,
      `V4 with ${bars}`,
      `<${bars}tool_calls><${bars}invoke name="read"><${bars}parameter name="path" string="true">a.py</${bars}parameter></${bars}invoke></${bars}tool_calls>`,
      [callBlock("read", { path: "a.py" })],
    ),
  ),
  callCase(
    family,
    "V4, the compact form",
    "<｜｜DSML｜｜r=bash>\n<parameter=command>pwd</parameter>\n<｜｜DSML｜｜m>",
    [callBlock("bash", { command: "pwd" })],
  ),
  callCase(
    family,
    "V4.1, a block of calls",
    '<｜DSML｜ calls>\n<｜DSML｜ invoke name="read">\n<｜DSML｜ parameter name="path" string="true">a.ts</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n<｜DSML｜ invoke name="ls">\n</｜DSML｜ invoke>\n</｜DSML｜ calls><｜end▁of▁sentence｜>',
    [callBlock("read", { path: "a.ts" }), callBlock("ls", {})],
  ),
  callCase(
    family,
    "V4, a value with tags of the same name",
    '<｜DSML｜tool_calls><｜DSML｜invoke name="write"><｜DSML｜parameter name="path" string="true">a</｜DSML｜parameter><｜DSML｜parameter name="content" string="true">x\n</parameter>\n</invoke>\ny</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜tool_calls>',
    [callBlock("write", { path: "a", content: "x\n</parameter>\n</invoke>\ny" })],
  ),
  callCase(
    family,
    "thinking whose opener was in the prompt",
    "The user wants a list.\n</think>\n\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>ls\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    [thinkingBlock("The user wants a list."), callBlock("ls", {})],
  ),
  callCase(
    family,
    "a hallucinated output",
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>ls\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>a.txt<｜tool▁output▁end｜>",
    [callBlock("ls", {})],
  ),
  callCase(
    family,
    "a distilled model that writes a fence",
    '<think>\nread it\n</think>\nI need to read the file.\n\n```json\n{"name": "read", "arguments": {"path": "main.c"}}\n```',
    [thinkingBlock("read it"), textBlock("I need to read the file."), callBlock("read", { path: "main.c" })],
  ),
  proseCase(
    family,
    "a value is cut off",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>write\n```json\n{"path": "a.ts", "content": "con',
  ),
  callCase(
    family,
    "an unknown function",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Oslo"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [callBlock("get_weather", { city: "Oslo" })],
  ),
  callCase(
    family,
    "a call that stays in thinking",
    "<think>\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>ls<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>\n</think>\nNothing to do.",
    [
      thinkingBlock(
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>ls<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
      ),
      textBlock("Nothing to do."),
    ],
  ),
];
