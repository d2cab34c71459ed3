/** Models that write Thought, Action, Action Input, in English and Chinese. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock, thinkingBlock } from "./reader-case";

const react = { modes: ["react"] } as const;
const otherModes = { modes: ["native", "xml"] } as const;

export const lineCases: readonly ReaderCase[] = [
  callCase(
    "react",
    "thought, action, input",
    'Thought: I need the file.\nAction: read\nAction Input: {"path": "a.ts"}',
    [thinkingBlock("I need the file."), callBlock("read", { path: "a.ts" })],
  ),
  callCase(
    "react",
    "a hallucinated observation: only the first action counts",
    'Thought: list first\nAction: ls\nAction Input: {"path": "."}\nObservation: a.txt\nThought: now delete\nAction: delete\nAction Input: {"path": "a.txt"}\nObservation: ok\nFinal Answer: deleted',
    [thinkingBlock("list first"), callBlock("ls", { path: "." })],
  ),
  callCase(
    "react",
    "JSON in a fence",
    'Thought: run it\nAction: bash\nAction Input:\n```json\n{"command": "npm test", "timeout": 60}\n```',
    [thinkingBlock("run it"), callBlock("bash", { command: "npm test", timeout: 60 })],
  ),
  callCase("react", "a bare text for the one parameter", "Thought: look\nAction: read\nAction Input: src/main.ts", [
    thinkingBlock("look"),
    callBlock("read", { path: "src/main.ts" }),
  ]),
  callCase("react", "a quoted bare text", 'Action: bash\nAction Input: "git status --short"', [
    callBlock("bash", { command: "git status --short" }),
  ]),
  callCase("react", "a bare command of several lines", "Action: bash\nAction Input: cd src\nls -la", [
    callBlock("bash", { command: "cd src\nls -la" }),
  ]),
  callCase("react", "bold labels", '**Thought:** look\n\n**Action:** ls\n\n**Action Input:** {"depth": 2}', [
    thinkingBlock("look"),
    callBlock("ls", { depth: 2 }),
  ]),
  callCase(
    "react",
    "the name in backticks, then PAUSE",
    'Thought: x\nAction: `grep`\nAction Input: {"pattern": "y"}\nPAUSE',
    [thinkingBlock("x"), callBlock("grep", { pattern: "y" })],
  ),
  callCase("react", "no input where none is needed", "Thought: where am I?\nAction: ls\nAction Input: None", [
    thinkingBlock("where am I?"),
    callBlock("ls", {}),
  ]),
  callCase("react", "an action alone", "Thought: where am I?\nAction: ls", [
    thinkingBlock("where am I?"),
    callBlock("ls", {}),
  ]),
  callCase("react", "a call on the line of the action", 'Thought: x\nAction: read(path="a.ts")', [
    thinkingBlock("x"),
    callBlock("read", { path: "a.ts" }),
  ]),
  callCase("react", "brackets on the line of the action", "Thought: x\nAction: read[src/a.ts]\nObservation 1: import", [
    thinkingBlock("x"),
    callBlock("read", { path: "src/a.ts" }),
    textBlock("Observation 1: import"),
  ]),
  callCase("react", "an action as JSON", 'Action:\n```\n{"action": "grep", "action_input": {"pattern": "x"}}\n```', [
    callBlock("grep", { pattern: "x" }),
  ]),
  callCase(
    "react",
    "two actions without an observation",
    'Action: ls\nAction Input: {}\nAction: read\nAction Input: {"path": "a"}',
    [callBlock("ls", {}), callBlock("read", { path: "a" })],
  ),
  callCase(
    "react",
    "a premature final answer is cut off",
    'Thought: write it\nAction: write\nAction Input: {"path": "a.md", "content": "# A\\n"}\n\nFinal Answer: The file was written.',
    [thinkingBlock("write it"), callBlock("write", { path: "a.md", content: "# A\n" })],
  ),
  callCase(
    "react",
    "an input with raw line breaks",
    'Action: write\nAction Input: {"path": "a.py", "content": "def f():\n    return {\'a\': 1}\n"}',
    [callBlock("write", { path: "a.py", content: "def f():\n    return {'a': 1}\n" })],
  ),
  callCase(
    "react",
    "an observation inside a file is content",
    'Action: write\nAction Input: {"path": "a.txt", "content": "Thought: x\nObservation: y\n"}',
    [callBlock("write", { path: "a.txt", content: "Thought: x\nObservation: y\n" })],
  ),
  callCase(
    "react",
    "missing arguments are answered with an error",
    'Thought: x\nAction: edit\nAction Input: {"path": "a"}',
    [thinkingBlock("x"), callBlock("edit", { path: "a" })],
  ),
  callCase("react", "the closing brace is missing", 'Action: read\nAction Input: {"path": "a.ts"', [
    callBlock("read", { path: "a.ts" }),
  ]),
  callCase(
    "react",
    "text and a thought",
    "I can help.\nThought: I know it.\nFinal Answer: It is 42.\nReally.",
    [textBlock("I can help."), thinkingBlock("I know it."), textBlock("It is 42.\nReally.")],
    react,
  ),
  callCase("react", "the final answer alone", "Final Answer: It is 42.", [textBlock("It is 42.")], react),
  callCase(
    "react",
    "an action in the final answer is text",
    "Thought: done\nFinal Answer: Write\nAction: ls\nAction Input: {}\nin your prompt.",
    [thinkingBlock("done"), textBlock("Write\nAction: ls\nAction Input: {}\nin your prompt.")],
    react,
  ),
  callCase("react-zh", "Chinese labels", '思考：需要查看文件\n行动：read\n行动输入：{"path": "src/主程序.ts"}', [
    thinkingBlock("需要查看文件"),
    callBlock("read", { path: "src/主程序.ts" }),
  ]),
  callCase(
    "react-zh",
    "a hallucinated observation",
    '思考: 列出目录\n动作: ls\n动作输入: {"path": "."}\n观察: a.txt\n最终答案: 一个文件',
    [thinkingBlock("列出目录"), callBlock("ls", { path: "." })],
  ),
  callCase("react-zh", "Qwen-Agent's ✿ labels", '✿FUNCTION✿: bash\n✿ARGS✿: {"command": "ls"}\n✿RESULT✿: a.txt', [
    callBlock("bash", { command: "ls" }),
  ]),
  callCase("react", "a thought and an answer", "Thought: this is how I see it.\n\nFinal Answer: It is 42.\nReally.", [
    thinkingBlock("this is how I see it."),
    textBlock("It is 42.\nReally."),
  ]),
  callCase("react", "a frame after separate thinking", "<think>hm</think>\n**Thought:** yes\n**Final Answer:** 42", [
    thinkingBlock("hm"),
    thinkingBlock("yes"),
    textBlock("42"),
  ]),
  callCase("react-zh", "a thought and an answer", "思考：很简单。\n最终答案：四十二", [
    thinkingBlock("很简单。"),
    textBlock("四十二"),
  ]),
  proseCase("react", "a thought alone keeps its label", "Thought: this is how I see it.\n\nIt is 42.", otherModes),
  proseCase("react", "an answer alone keeps its label", "Final Answer: 42", otherModes),
  proseCase(
    "react",
    "a frame that is not the whole answer",
    "The log says:\n\nThought: x\nFinal Answer: 42",
    otherModes,
  ),
  proseCase("react", "an answer that stays empty", "Thought: this is how I see it.\nFinal Answer:", otherModes),
  proseCase("react", "the label inside a sentence", "Thought: they end with\nthe words Final Answer: 42", otherModes),
  proseCase("react", "the label inside a fence", "Thought: so it ends.\n```\nFinal Answer: 42\n```", otherModes),
  proseCase(
    "react",
    "a line that starts with the word action",
    "Action: delete the old branch and tell the team.\nOwner: Ann",
  ),
  proseCase("react", "a tool's name as an action of people", "Action: read\nOwner: Ann\nDue: Friday", otherModes),
  proseCase("react", "an unknown tool", 'Action: search_web\nAction Input: {"query": "x"}', otherModes),
  proseCase(
    "react",
    "the format is explained",
    'Use this format:\n\n```\nThought: think\nAction: read\nAction Input: {"path": "a"}\nObservation: result\n```\n\nRepeat until done.',
    otherModes,
  ),
  proseCase("react", "an input that is cut off", 'Action: write\nAction Input: {"path": "a", "content": "b'),
  proseCase("react", "a fence that is cut off", 'Action: bash\nAction Input:\n```json\n{"command": "rm'),
  proseCase(
    "react",
    "Observation without a call",
    "Observation: the tests are slow.\nFinal thoughts follow.",
    otherModes,
  ),
];
