/** Llama 3.1, 3.2, 3.3 and Llama 4: JSON with "parameters", python tags, pythonic lists, function elements. */
import { call, calls, type Case, prose, text } from "./case";

const three = "llama3.x";
const four = "llama4";

export const llamaCases: readonly Case[] = [
  calls(three, "parameters in place of arguments", '{"name": "read", "parameters": {"path": "a.txt"}}', [
    call("read", { path: "a.txt" }),
  ]),
  calls(three, "a function with its type", '{"type": "function", "name": "ls", "parameters": {"path": "src"}}', [
    call("ls", { path: "src" }),
  ]),
  calls(three, "a function inside", '{"type": "function", "function": {"name": "ls", "parameters": {"path": "src"}}}', [
    call("ls", { path: "src" }),
  ]),
  calls(
    three,
    "numbers and booleans as texts",
    '{"name": "grep", "parameters": {"pattern": "x", "ignore_case": "true", "context": "2"}}',
    [call("grep", { pattern: "x", ignore_case: "true", context: "2" })],
  ),
  calls(three, "python tag with JSON", '<|python_tag|>{"name": "bash", "parameters": {"command": "ls"}}<|eom_id|>', [
    call("bash", { command: "ls" }),
  ]),
  calls(three, "python tag with a method", '<|python_tag|>bash.call(command="npm test")', [
    call("bash", { command: "npm test" }),
  ]),
  calls(
    three,
    "several after the python tag",
    '<|python_tag|>{"name": "ls", "parameters": {}}; {"name": "read", "parameters": {"path": "a"}}',
    [call("ls", {}), call("read", { path: "a" })],
  ),
  calls(three, "a function element with JSON", '<function=read>{"path": "src/a.ts", "offset": 10}</function>', [
    call("read", { path: "src/a.ts", offset: 10 }),
  ]),
  calls(three, "a function element with the brace in the tag", '<function=read{"path": "src/a.ts"}></function>', [
    call("read", { path: "src/a.ts" }),
  ]),
  calls(
    three,
    "two objects separated by a semicolon",
    '{"name": "ls", "parameters": {}}; {"name": "read", "parameters": {"path": "b"}}',
    [call("ls", {}), call("read", { path: "b" })],
  ),
  calls(
    three,
    "text, then JSON on the same line",
    'To find it, I will search the project. {"name": "grep", "parameters": {"pattern": "port"}}',
    [text("To find it, I will search the project."), call("grep", { pattern: "port" })],
  ),
  calls(
    three,
    "Python literals",
    "{'name': 'edit', 'parameters': {'path': 'a.py', 'old_string': 'x = 1', 'new_string': 'x = None', 'replace_all': True}}",
    [call("edit", { path: "a.py", old_string: "x = 1", new_string: "x = None", replace_all: true })],
  ),
  calls(
    three,
    "the hallucinated turn of the tool",
    '{"name": "ls", "parameters": {}}<|eot_id|><|start_header_id|>ipython<|end_header_id|>\n\n["a.txt"]',
    [call("ls", {})],
  ),
  calls(four, "a pythonic list", '[read(path="src/main.ts", offset=1, limit=20), ls()]', [
    call("read", { path: "src/main.ts", offset: 1, limit: 20 }),
    call("ls", {}),
  ]),
  calls(four, "one call alone", 'grep(pattern="def \\w+", literal=False)', [
    call("grep", { pattern: "def \\w+", literal: false }),
  ]),
  calls(
    four,
    "a program in a triple-quoted string",
    '[write(path="a.py", content="""import os\nprint("it\'s {x}")\n""")]',
    [call("write", { path: "a.py", content: 'import os\nprint("it\'s {x}")\n' })],
  ),
  calls(four, "a raw string and a tuple", "[grep(pattern=r'\\d+\\.\\d+', path='src'), find(pattern=('*.py',))]", [
    call("grep", { pattern: "\\d+\\.\\d+", path: "src" }),
    call("find", { pattern: ["*.py"] }),
  ]),
  calls(four, "a lead-in before the list", 'I will list the folder first.\n\n[ls(path="src")]', [
    text("I will list the folder first."),
    call("ls", { path: "src" }),
  ]),
  calls(four, "the closing bracket is missing", '[bash(command="ls -la")', [call("bash", { command: "ls -la" })]),
  calls(four, "between python markers", '<|python_start|>[read(path="a")]<|python_end|>', [
    call("read", { path: "a" }),
  ]),
  prose(three, "a JSON answer to a question", '{"answer": 42, "unit": "km"}'),
  prose(three, "a list of people", '[{"name": "Alice", "age": 30}, {"name": "Bob", "age": 25}]'),
  prose(three, "records that look alike", '[{"name": "Alice", "parameters": {"age": 30}}]'),
  prose(four, "a list in a sentence", "The steps are [read(path), then write(path)] in this order."),
  prose(four, "a function in a sentence", 'Use open(path="a.txt") in Python to open the file, then read() it.'),
  prose(four, "a string in the list is cut off", '[write(path="a.txt", content="half of'),
  prose(four, "Python code in a fence", '```python\ncontent = read(path="a.txt")\nprint(content)\n```'),
  prose(four, "a link", "[read](https://example.com/read) and [write](https://example.com/write)"),
  prose(
    three,
    "the schema of a function",
    '{"type": "function", "function": {"name": "ls", "description": "List files", "parameters": {"type": "object", "properties": {}}}}',
  ),
];
