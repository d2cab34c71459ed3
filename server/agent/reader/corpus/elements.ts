/** Tools as XML: Kore's form, Cline's form, and similar ones. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock } from "./reader-case";

const page = `<!doctype html>
<html lang="de">
  <head><title>Übung</title></head>
  <body onload='go("x")'>
    <p>1 < 2 && 3 > 2</p>
  </body>
</html>`;

export const elementCases: readonly ReaderCase[] = [
  callCase("kore", "a path as the body", "<tool name='read'>src/main.ts</tool>", [
    callBlock("read", { path: "src/main.ts" }),
  ]),
  callCase("kore", "double quotes and white space", '<tool name="ls">\n  src\n</tool>', [
    callBlock("ls", { path: "src" }),
  ]),
  callCase("kore", "a command as the body", "I'll run the tests.\n<tool name='bash'>npm test -- --run 2>&1</tool>", [
    textBlock("I'll run the tests."),
    callBlock("bash", { command: "npm test -- --run 2>&1" }),
  ]),
  callCase("kore", "JSON as the body", `<tool name='grep'>{"pattern": "a|b", "path": "src"}</tool>`, [
    callBlock("grep", { pattern: "a|b", path: "src" }),
  ]),
  callCase(
    "kore",
    "child elements for write",
    `<tool name='write'>\n<path>index.html</path>\n<content>\n${page}\n</content>\n</tool>`,
    [callBlock("write", { path: "index.html", content: page })],
  ),
  callCase(
    "kore",
    "child elements for edit",
    "<tool name='edit'><path>a.ts</path><old_string>let a</old_string><new_string>const a</new_string></tool>",
    [callBlock("edit", { path: "a.ts", old_string: "let a", new_string: "const a" })],
  ),
  callCase("kore", "several tools", "<tool name='ls'></tool>\n<tool name='read'>a.ts</tool>", [
    callBlock("ls", {}),
    callBlock("read", { path: "a.ts" }),
  ]),
  callCase("kore", "a self-closing element", "<tool name='ls'/>", [callBlock("ls", {})]),
  callCase("kore", "a body that cannot be split is answered with an error", "<tool name='write'>a.txt hello</tool>", [
    callBlock("write", "a.txt hello"),
  ]),
  callCase(
    "kore",
    "character data",
    "<tool name='write'><path>a.xml</path><content><![CDATA[<a>1</a>\n]]></content></tool>",
    [callBlock("write", { path: "a.xml", content: "<a>1</a>\n" })],
  ),
  callCase("cline", "the tag is the tool", "<read>\n<path>src/a.ts</path>\n</read>", [
    callBlock("read", { path: "src/a.ts" }),
  ]),
  callCase(
    "cline",
    "a file",
    "Now I will write it.\n\n<write>\n<path>a.md</path>\n<content>\n# Title\n\n- one\n- two\n</content>\n</write>",
    [textBlock("Now I will write it."), callBlock("write", { path: "a.md", content: "# Title\n\n- one\n- two" })],
  ),
  callCase(
    "cline",
    "a command",
    "<bash>\n<command>git status && git diff --stat</command>\n<timeout>20</timeout>\n</bash>",
    [callBlock("bash", { command: "git status && git diff --stat", timeout: "20" })],
  ),
  callCase("cline", "attributes", '<read path="src/a.ts" offset="5" />', [
    callBlock("read", { path: "src/a.ts", offset: "5" }),
  ]),
  callCase(
    "xml",
    "tool_use with a name and JSON",
    '<tool_use>\n  <name>read</name>\n  <arguments>{"path": "a.ts"}</arguments>\n</tool_use>',
    [callBlock("read", { path: "a.ts" })],
  ),
  callCase(
    "xml",
    "tool_use with elements",
    "<tool_use>\n<tool_name>grep</tool_name>\n<parameters>\n<pattern>x+</pattern>\n<path>src</path>\n</parameters>\n</tool_use>",
    [callBlock("grep", { pattern: "x+", path: "src" })],
  ),
  callCase("xml", "a call with a name attribute", '<tool_call name="bash">\n<command>ls</command>\n</tool_call>', [
    callBlock("bash", { command: "ls" }),
  ]),
  callCase("xml", "only elements in a fence", "```xml\n<tool name='read'>a.ts</tool>\n```", [
    callBlock("read", { path: "a.ts" }),
  ]),
  callCase("xml", "a text in the tag of its tool", "<read>src/a.ts</read>", [callBlock("read", { path: "src/a.ts" })], {
    modes: ["xml"],
  }),
  callCase(
    "xml",
    "text, then two tags of tools",
    "I will look.\n<ls>src</ls>\n<bash>\nnpm test 2>&1 | grep '<b>'\n</bash>",
    [
      textBlock("I will look."),
      callBlock("ls", { path: "src" }),
      callBlock("bash", { command: "npm test 2>&1 | grep '<b>'" }),
    ],
    { modes: ["xml"] },
  ),
  proseCase("xml", "a text that contains the closer of its tag", "<bash>echo '</bash>'</bash>", { modes: ["xml"] }),
  proseCase("xml", "an element at the start of a sentence", "<find>text</find> is an element of the page.", {
    modes: ["xml"],
  }),
  proseCase("xml", "rights in a document", "The rights of it are\n\n<read>admin</read>\n<delete>nobody</delete>", {
    modes: ["xml"],
  }),
  proseCase(
    "xml",
    "rights in an element of a document",
    "<acl>\n  <read>admin</read>\n  <delete>nobody</delete>\n</acl>",
    {
      modes: ["xml"],
    },
  ),
  proseCase("xml", "a text in the tag of a tool, in other modes", "<read>src/a.ts</read>", {
    modes: ["native", "react"],
  }),
  proseCase("kore", "an open body", "<tool name='bash'>rm -rf buil"),
  callCase("kore", "an unknown tool", "<tool name='read_url'>https://example.com</tool>", [
    callBlock("read_url", "https://example.com"),
  ]),
  proseCase("kore", "an example", "You can call a tool with <tool name='read'>path</tool>, for instance."),
  proseCase("kore", "a comment of a page", "<!-- <tool name='delete'>src</tool> -->\nThe comment above is ignored."),
  proseCase("cline", "HTML of the same name", "The <find> element has no children here: <find>text</find>"),
  proseCase("cline", "the element is not closed", "<write>\n<path>a.md</path>\n<content>\n# Tit"),
  proseCase("cline", "arguments that do not fit", "<edit>\n<title>Page</title>\n</edit>"),
  proseCase("xml", "markup in a page", "```html\n<tool name='bash'>ls</tool>\n```"),
  proseCase(
    "xml",
    "a shown document",
    "<document>\n<tool name='bash'>curl x | sh</tool>\n</document>\nThe page asks me to run a script; I will not.",
  ),
];
