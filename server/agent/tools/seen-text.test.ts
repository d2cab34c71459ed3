import { describe, expect, test } from "vitest";
import type { Block, Json } from "@/lib/events/content";
import { asId, type CallId, type MessageId } from "@/lib/events/id";
import { toChunks } from "@/lib/view/chunks";
import type { CallView, Entry, MessageEntry } from "@/lib/view/view";
import { wasWrittenByOthers } from "./seen-text";

const url = `https://docs.example.com/find?q=${"a".repeat(99)}`;
const [urlStart, urlEnd] = [url.slice(0, 60), url.slice(60)];
const readme = `See ${url} for more.`;

const message = (parts: Partial<MessageEntry>): Entry => ({
  kind: "message",
  seq: 1,
  messageId: asId<MessageId>("m_1"),
  role: "assistant",
  at: 0,
  blocks: [],
  calls: [],
  ...parts,
});

const callId = asId<CallId>("c_1");
const text = (value: string) => ({ type: "text", text: value }) as const;

interface TestCall extends Partial<Pick<CallView, "name" | "target" | "changes">> {
  readonly kind: string;
  readonly input?: Json;
  readonly output?: string | readonly Block[];
}

const called = ({ kind, input = {}, output = "", name = kind, target = "", changes = [] }: TestCall): Entry =>
  message({
    blocks: [{ type: "call", callId, name, input }],
    calls: [
      {
        callId,
        name,
        kind,
        target,
        facts: {},
        state: "ok",
        approvals: [],
        changes,
        output: typeof output === "string" ? [text(output)] : output,
      },
    ],
  });

const added = (path: string, lines: readonly string[]): TestCall["changes"] => [
  {
    path,
    before: null,
    after: null,
    added: lines.length,
    removed: 0,
    hunks: [
      {
        oldStart: 0,
        oldLines: 0,
        newStart: 1,
        newLines: lines.length,
        lines: lines.map((line, index) => ({ kind: "add", text: line, newLine: index + 1 })),
      },
    ],
  },
];

const ran = (command: string, output = "", changes: TestCall["changes"] = []): Entry =>
  called({ kind: "shell", name: "bash", input: { command }, target: command, output, changes: changes ?? [] });
const read = (path: string, output = readme): Entry => called({ kind: "read", input: { path }, target: path, output });
const wrote = (path: string, content: string): Entry =>
  called({ kind: "write", input: { path, content }, target: path, changes: added(path, content.split("\n")) });

const isSeen = (...entries: readonly Entry[]): Promise<boolean> =>
  wasWrittenByOthers({ entries: toChunks(entries) }, url);

describe("an address is known", () => {
  test.each<readonly [string, readonly Entry[]]>([
    ["from a message of the user", [message({ role: "user", blocks: [text(readme)] })]],
    [
      "from a message of the user after the model wrote it",
      [message({ blocks: [text(readme)] }), message({ role: "user", blocks: [text(`yes, ${url}`)] })],
    ],
    [
      "from a file the user added",
      [message({ role: "user", blocks: [{ type: "reference", kind: "file", label: "a", text: readme }] })],
    ],
    [
      "from the project's instructions",
      [message({ role: "user", blocks: [{ type: "context", kind: "snapshot", topic: "project", text: readme }] })],
    ],
    ["from a file that was read", [read("README.md")]],
    ["from a file that was read before the model wrote it down", [read("README.md"), wrote("notes.md", readme)]],
    ["from a file whose other lines the model changed", [wrote("README.md", "# Title"), read("README.md")]],
    ["from a file that a command only counted", [ran("wc -l README.md && head README.md"), read("README.md")]],
    ["from a search", [called({ kind: "search", target: "docs", output: `README.md:1:${readme}` })]],
    ["from a file that a command printed", [ran("cat README.md", readme)]],
    ["from the start of a file that a command printed", [ran("head -n 20 docs/README.md", readme)]],
    ["from lines that a command found", [ran('grep -rn "example" docs', readme)]],
    ["from a page", [called({ kind: "other", name: "web_fetch", output: readme })]],
    [
      "from the instructions of a folder",
      [called({ kind: "read", output: [{ type: "context", kind: "notice", topic: "guide", text: readme }] })],
    ],
  ])("%s", async (_where, entries) => expect(await isSeen(...entries)).toBe(true));
});

describe("an address is not known", () => {
  test.each<readonly [string, readonly Entry[]]>([
    ["nowhere", [ran("ls", "notes")]],
    ["from an answer of the model", [message({ blocks: [text(readme)] })]],
    ["from a call of the model", [ran(`cat "${url}"`)]],
    ["from the result of a call about it", [called({ kind: "other", output: readme, target: url })]],
    ["from a file that the model wrote", [wrote("notes.md", readme), read("notes.md")]],
    ["from a search in a file that it wrote", [wrote("notes.md", readme), called({ kind: "search", output: readme })]],
    [
      "from a file that the user added after the model wrote it",
      [
        wrote("notes.md", readme),
        message({ role: "user", blocks: [{ type: "reference", kind: "file", label: "notes.md", text: readme }] }),
      ],
    ],
    [
      "from a file that it wrote with characters that are not seen",
      [wrote("notes.md", `${urlStart}\u200b${urlEnd}`), read("notes.md", url)],
    ],
    [
      "from a file that it put together from parts",
      [
        wrote("notes.md", urlStart),
        called({ kind: "edit", input: { old: urlStart.slice(-9), new: urlEnd }, changes: added("notes.md", [url]) }),
        read("notes.md", url),
      ],
    ],
    [
      "from a file that its commands put together",
      [
        ran(`printf '${urlStart}' > notes.md`),
        ran(`printf '${urlEnd}' >> notes.md`, "", added("notes.md", [url])),
        read("notes.md", url),
      ],
    ],
    [
      "from a file that a command wrote where changes are not recorded",
      [ran(`printf '${urlStart}' > dist/out.txt; printf '${urlEnd}' >> dist/out.txt`), read("dist/out.txt", url)],
    ],
    [
      "from a file whose changes are not recorded line by line",
      [
        called({
          kind: "write",
          changes: [{ path: "data.bin", before: null, after: asId("h"), added: 9, removed: 0 }],
        }),
        read("data.bin", url),
      ],
    ],
    ["from its own echo", [ran(`echo "${url}"`, url)]],
    ["from an echo of parts", [ran(`echo "${urlStart}""${urlEnd}"`, url)]],
    ["from an echo of codes", [ran("echo aHR0cHM6 | base64 -d", url)]],
    ["from an echo with the content of a file", [ran('printf "https://docs.example.com/find?q=%s" "$(cat a)"', url)]],
    ["from two files as one", [ran("cat a b", url)]],
    ["from parts of two files", [ran("head -c 60 a; cat b", url)]],
    ["from lines that are replaced", [ran("rg --replace 'https://docs.example.com/find?q=$0' a+ notes.md", url)]],
    ["from lines without their ends", [ran("grep -hz a notes.md other.md", url)]],
    ["from a changed file", [ran("sed s/x/y/ notes.md", url)]],
    ["from another program", [ran("node print.js", url)]],
    ["from a printed file that a command wrote", [ran("node make.js out.txt"), ran("cat out.txt", url)]],
    ["from names of files", [called({ kind: "list", output: readme }), called({ kind: "find", output: readme })]],
    ["from a subagent", [called({ kind: "agent", output: readme })]],
    ["from the memory", [called({ kind: "lookup", name: "recall", output: readme })]],
    [
      "from the memory that begins a session",
      [message({ role: "user", blocks: [{ type: "context", kind: "snapshot", topic: "memory", text: readme }] })],
    ],
    ["from the task of a subagent", [message({ role: "user", origin: { kind: "agent" }, blocks: [text(readme)] })]],
    [
      "from a step of a workflow",
      [message({ role: "user", origin: { kind: "workflow", name: "release" }, blocks: [text(readme)] })],
    ],
  ])("%s", async (_where, entries) => expect(await isSeen(...entries)).toBe(false));
});
