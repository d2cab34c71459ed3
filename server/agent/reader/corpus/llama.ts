/** Llama 3.1, 3.2, 3.3 and Llama 4: JSON with "parameters", python tags, pythonic lists, function elements. */
import { callBlock, callCase, type ReaderCase, proseCase, textBlock } from "./reader-case";

const three = "llama3.x";
const four = "llama4";

export const llamaCases: readonly ReaderCase[] = [
  callCase(three, "parameters in place of arguments", '{"name": "read", "parameters": {"path": "a.txt"}}', [
    callBlock("read", { path: "a.txt" }),
  ]),
  callCase(three, "a function with its type", '{"type": "function", "name": "ls", "parameters": {"path": "src"}}', [
    callBlock("ls", { path: "src" }),
  ]),
  callCase(
    three,
    "a function inside",
    '{"type": "function", "function": {"name": "ls", "parameters": {"path": "src"}}}',
    [callBlock("ls", { path: "src" })],
  ),
  callCase(
    three,
    "numbers and booleans as texts",
    '{"name": "grep", "parameters": {"pattern": "x", "ignore_case": "true", "context": "2"}}',
    [callBlock("grep", { pattern: "x", ignore_case: "true", context: "2" })],
  ),
  callCase(three, "python tag with JSON", '<|python_tag|>{"name": "bash", "parameters": {"command": "ls"}}<|eom_id|>', [
    callBlock("bash", { command: "ls" }),
  ]),
  callCase(three, "python tag with a method", '<|python_tag|>bash.call(command="npm test")', [
    callBlock("bash", { command: "npm test" }),
  ]),
  callCase(
    three,
    "several after the python tag",
    '<|python_tag|>{"name": "ls", "parameters": {}}; {"name": "read", "parameters": {"path": "a"}}',
    [callBlock("ls", {}), callBlock("read", { path: "a" })],
  ),
  callCase(three, "a function element with JSON", '<function=read>{"path": "src/a.ts", "offset": 10}</function>', [
    callBlock("read", { path: "src/a.ts", offset: 10 }),
  ]),
  callCase(three, "a function element with the brace in the tag", '<function=read{"path": "src/a.ts"}></function>', [
    callBlock("read", { path: "src/a.ts" }),
  ]),
  callCase(
    three,
    "two objects separated by a semicolon",
    '{"name": "ls", "parameters": {}}; {"name": "read", "parameters": {"path": "b"}}',
    [callBlock("ls", {}), callBlock("read", { path: "b" })],
  ),
  callCase(
    three,
    "text, then JSON on the same line",
    'To find it, I will search the project. {"name": "grep", "parameters": {"pattern": "port"}}',
    [textBlock("To find it, I will search the project."), callBlock("grep", { pattern: "port" })],
  ),
  callCase(
    three,
    "Python literals",
    "{'name': 'edit', 'parameters': {'path': 'a.py', 'old_string': 'x = 1', 'new_string': 'x = None', 'replace_all': True}}",
    [callBlock("edit", { path: "a.py", old_string: "x = 1", new_string: "x = None", replace_all: true })],
  ),
  callCase(
    three,
    "the hallucinated turn of the tool",
    '{"name": "ls", "parameters": {}}<|eot_id|><|start_header_id|>ipython<|end_header_id|>\n\n["a.txt"]',
    [callBlock("ls", {})],
  ),
  callCase(four, "a pythonic list", '[read(path="src/main.ts", offset=1, limit=20), ls()]', [
    callBlock("read", { path: "src/main.ts", offset: 1, limit: 20 }),
    callBlock("ls", {}),
  ]),
  callCase(four, "one call alone", 'grep(pattern="def \\w+", literal=False)', [
    callBlock("grep", { pattern: "def \\w+", literal: false }),
  ]),
  callCase(
    four,
    "a program in a triple-quoted string",
    '[write(path="a.py", content="""import os\nprint("it\'s {x}")\n""")]',
    [callBlock("write", { path: "a.py", content: 'import os\nprint("it\'s {x}")\n' })],
  ),
  callCase(four, "a raw string and a tuple", "[grep(pattern=r'\\d+\\.\\d+', path='src'), find(pattern=('*.py',))]", [
    callBlock("grep", { pattern: "\\d+\\.\\d+", path: "src" }),
    callBlock("find", { pattern: ["*.py"] }),
  ]),
  callCase(four, "a lead-in before the list", 'I will list the folder first.\n\n[ls(path="src")]', [
    textBlock("I will list the folder first."),
    callBlock("ls", { path: "src" }),
  ]),
  callCase(four, "the closing bracket is missing", '[bash(command="ls -la")', [
    callBlock("bash", { command: "ls -la" }),
  ]),
  callCase(four, "between python markers", '<|python_start|>[read(path="a")]<|python_end|>', [
    callBlock("read", { path: "a" }),
  ]),
  proseCase(three, "a JSON answer to a question", '{"answer": 42, "unit": "km"}'),
  proseCase(three, "a list of people", '[{"name": "Alice", "age": 30}, {"name": "Bob", "age": 25}]'),
  proseCase(three, "records that look alike", '[{"name": "Alice", "parameters": {"age": 30}}]'),
  proseCase(four, "a list in a sentence", "The steps are [read(path), then write(path)] in this order."),
  proseCase(four, "a function in a sentence", 'Use open(path="a.txt") in Python to open the file, then read() it.'),
  proseCase(four, "a string in the list is cut off", '[write(path="a.txt", content="half of'),
  proseCase(four, "Python code in a fence", '```python\ncontent = read(path="a.txt")\nprint(content)\n```'),
  proseCase(four, "a link", "[read](https://example.com/read) and [write](https://example.com/write)"),
  proseCase(
    three,
    "the schema of a function",
    '{"type": "function", "function": {"name": "ls", "description": "List files", "parameters": {"type": "object", "properties": {}}}}',
  ),
];
