/** Models that write Thought, Action, Action Input, in English and Chinese. */
import { call, calls, type Case, prose, text, thinking } from "./case";

const react = { modes: ["react"] } as const;
const others = { modes: ["native", "xml"] } as const;

export const lineCases: readonly Case[] = [
  calls("react", "thought, action, input", 'Thought: I need the file.\nAction: read\nAction Input: {"path": "a.ts"}', [
    thinking("I need the file."),
    call("read", { path: "a.ts" }),
  ]),
  calls(
    "react",
    "a hallucinated observation: only the first action counts",
    'Thought: list first\nAction: ls\nAction Input: {"path": "."}\nObservation: a.txt\nThought: now delete\nAction: delete\nAction Input: {"path": "a.txt"}\nObservation: ok\nFinal Answer: deleted',
    [thinking("list first"), call("ls", { path: "." })],
  ),
  calls(
    "react",
    "JSON in a fence",
    'Thought: run it\nAction: bash\nAction Input:\n```json\n{"command": "npm test", "timeout": 60}\n```',
    [thinking("run it"), call("bash", { command: "npm test", timeout: 60 })],
  ),
  calls("react", "a bare text for the one parameter", "Thought: look\nAction: read\nAction Input: src/main.ts", [
    thinking("look"),
    call("read", { path: "src/main.ts" }),
  ]),
  calls("react", "a quoted bare text", 'Action: bash\nAction Input: "git status --short"', [
    call("bash", { command: "git status --short" }),
  ]),
  calls("react", "a bare command of several lines", "Action: bash\nAction Input: cd src\nls -la", [
    call("bash", { command: "cd src\nls -la" }),
  ]),
  calls("react", "bold labels", '**Thought:** look\n\n**Action:** ls\n\n**Action Input:** {"depth": 2}', [
    thinking("look"),
    call("ls", { depth: 2 }),
  ]),
  calls(
    "react",
    "the name in backticks, then PAUSE",
    'Thought: x\nAction: `grep`\nAction Input: {"pattern": "y"}\nPAUSE',
    [thinking("x"), call("grep", { pattern: "y" })],
  ),
  calls("react", "no input where none is needed", "Thought: where am I?\nAction: ls\nAction Input: None", [
    thinking("where am I?"),
    call("ls", {}),
  ]),
  calls("react", "an action alone", "Thought: where am I?\nAction: ls", [thinking("where am I?"), call("ls", {})]),
  calls("react", "a call on the line of the action", 'Thought: x\nAction: read(path="a.ts")', [
    thinking("x"),
    call("read", { path: "a.ts" }),
  ]),
  calls("react", "brackets on the line of the action", "Thought: x\nAction: read[src/a.ts]\nObservation 1: import", [
    thinking("x"),
    call("read", { path: "src/a.ts" }),
    text("Observation 1: import"),
  ]),
  calls("react", "an action as JSON", 'Action:\n```\n{"action": "grep", "action_input": {"pattern": "x"}}\n```', [
    call("grep", { pattern: "x" }),
  ]),
  calls(
    "react",
    "two actions without an observation",
    'Action: ls\nAction Input: {}\nAction: read\nAction Input: {"path": "a"}',
    [call("ls", {}), call("read", { path: "a" })],
  ),
  calls(
    "react",
    "a premature final answer is cut off",
    'Thought: write it\nAction: write\nAction Input: {"path": "a.md", "content": "# A\\n"}\n\nFinal Answer: The file was written.',
    [thinking("write it"), call("write", { path: "a.md", content: "# A\n" })],
  ),
  calls(
    "react",
    "an input with raw line breaks",
    'Action: write\nAction Input: {"path": "a.py", "content": "def f():\n    return {\'a\': 1}\n"}',
    [call("write", { path: "a.py", content: "def f():\n    return {'a': 1}\n" })],
  ),
  calls(
    "react",
    "an observation inside a file is content",
    'Action: write\nAction Input: {"path": "a.txt", "content": "Thought: x\nObservation: y\n"}',
    [call("write", { path: "a.txt", content: "Thought: x\nObservation: y\n" })],
  ),
  calls(
    "react",
    "missing arguments are answered with an error",
    'Thought: x\nAction: edit\nAction Input: {"path": "a"}',
    [thinking("x"), call("edit", { path: "a" })],
  ),
  calls("react", "the closing brace is missing", 'Action: read\nAction Input: {"path": "a.ts"', [
    call("read", { path: "a.ts" }),
  ]),
  calls(
    "react",
    "text and a thought",
    "I can help.\nThought: I know it.\nFinal Answer: It is 42.\nReally.",
    [text("I can help."), thinking("I know it."), text("It is 42.\nReally.")],
    react,
  ),
  calls("react", "the final answer alone", "Final Answer: It is 42.", [text("It is 42.")], react),
  calls(
    "react",
    "an action in the final answer is text",
    "Thought: done\nFinal Answer: Write\nAction: ls\nAction Input: {}\nin your prompt.",
    [thinking("done"), text("Write\nAction: ls\nAction Input: {}\nin your prompt.")],
    react,
  ),
  calls("react-zh", "Chinese labels", '思考：需要查看文件\n行动：read\n行动输入：{"path": "src/主程序.ts"}', [
    thinking("需要查看文件"),
    call("read", { path: "src/主程序.ts" }),
  ]),
  calls(
    "react-zh",
    "a hallucinated observation",
    '思考: 列出目录\n动作: ls\n动作输入: {"path": "."}\n观察: a.txt\n最终答案: 一个文件',
    [thinking("列出目录"), call("ls", { path: "." })],
  ),
  calls("react-zh", "Qwen-Agent's ✿ labels", '✿FUNCTION✿: bash\n✿ARGS✿: {"command": "ls"}\n✿RESULT✿: a.txt', [
    call("bash", { command: "ls" }),
  ]),
  calls("react", "a thought and an answer", "Thought: this is how I see it.\n\nFinal Answer: It is 42.\nReally.", [
    thinking("this is how I see it."),
    text("It is 42.\nReally."),
  ]),
  calls("react", "a frame after separate thinking", "<think>hm</think>\n**Thought:** yes\n**Final Answer:** 42", [
    thinking("hm"),
    thinking("yes"),
    text("42"),
  ]),
  calls("react-zh", "a thought and an answer", "思考：很简单。\n最终答案：四十二", [
    thinking("很简单。"),
    text("四十二"),
  ]),
  prose("react", "a thought alone keeps its label", "Thought: this is how I see it.\n\nIt is 42.", others),
  prose("react", "an answer alone keeps its label", "Final Answer: 42", others),
  prose("react", "a frame that is not the whole answer", "The log says:\n\nThought: x\nFinal Answer: 42", others),
  prose("react", "an answer that stays empty", "Thought: this is how I see it.\nFinal Answer:", others),
  prose("react", "the label inside a sentence", "Thought: they end with\nthe words Final Answer: 42", others),
  prose("react", "the label inside a fence", "Thought: so it ends.\n```\nFinal Answer: 42\n```", others),
  prose(
    "react",
    "a line that starts with the word action",
    "Action: delete the old branch and tell the team.\nOwner: Ann",
  ),
  prose("react", "a tool's name as an action of people", "Action: read\nOwner: Ann\nDue: Friday", others),
  prose("react", "an unknown tool", 'Action: search_web\nAction Input: {"query": "x"}', others),
  prose(
    "react",
    "the format is explained",
    'Use this format:\n\n```\nThought: think\nAction: read\nAction Input: {"path": "a"}\nObservation: result\n```\n\nRepeat until done.',
    others,
  ),
  prose("react", "an input that is cut off", 'Action: write\nAction Input: {"path": "a", "content": "b'),
  prose("react", "a fence that is cut off", 'Action: bash\nAction Input:\n```json\n{"command": "rm'),
  prose("react", "Observation without a call", "Observation: the tests are slow.\nFinal thoughts follow.", others),
];
