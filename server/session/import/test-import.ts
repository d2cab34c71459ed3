/** A store that imports files in tests, and the files. */
import { joinTextBlocks } from "@/lib/events/content";
import { foldLog } from "@/lib/view/fold";
import { type SessionId } from "@/lib/events/id";
import { emptyView, pathEntries, type SessionView } from "@/lib/view/view";
import { openTestStore } from "@/server/store/__fixtures__/home";
import { importSessions } from "./import";
import { testCommandId } from "../testing/test-harness";

export const rig = () => {
  const store = openTestStore();
  const project = store.projects.open({ path: "/here", name: "here" }, 1);
  const viewOf = (id: SessionId): SessionView =>
    foldLog(
      emptyView(id),
      store.events.read(id).map((row) => ({ ...row, v: 1 as const, sessionId: id })),
    );
  const bring = (text: string, commandId = testCommandId(), name = "some folder/talk.jsonl") =>
    importSessions({ store, now: () => 5_000 }, { projectId: project.id, root: "/here", commandId, name, text });
  const importText = async (text: string) => {
    const imported = await bring(text);
    if (!imported.ok) throw new Error(JSON.stringify(imported.error));
    const [row] = imported.value.rows;
    if (row === undefined) throw new Error("nothing was made");
    return { row, droppedPins: imported.value.droppedPins, view: viewOf(row.id), rows: store.events.read(row.id) };
  };
  return { store, project, viewOf, bring, importText };
};
export const jsonl = (...lines: readonly object[]): string => lines.map((line) => JSON.stringify(line)).join("\n");

/** The view without the fields that depend on where and how the session was created. */
export const withoutOrigin = ({
  sessionId: _id,
  projectId: _project,
  cwd: _cwd,
  imported: _imported,
  ...view
}: SessionView) => view;

export const cardsOf = (view: SessionView) =>
  pathEntries(view).flatMap((entry) =>
    entry.kind === "message"
      ? entry.calls.map(({ name, state, target, output }) => ({
          name,
          state,
          target,
          text: joinTextBlocks(output ?? []),
        }))
      : [],
  );
export const toolLine = (id: string, content: string, more: object = {}) => ({
  type: "message",
  role: "tool",
  tool_call_id: id,
  content,
  ...more,
});

export const timestampOf = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
export const messageLine = (
  id: string,
  parentId: string | null,
  role: string,
  content: unknown,
  more: object = {},
) => ({
  type: "message",
  id,
  parentId,
  timestamp: timestampOf(Number(id.slice(1))),
  message: { role, content, ...more },
});
export const text = (value: string) => ({ type: "text", text: value });
const pixel = Buffer.from("not really a picture").toString("base64");
export const piHeader = { type: "session", version: 3, id: "u", timestamp: timestampOf(0), cwd: "/old" };
export const piTree = [
  piHeader,
  {
    type: "model_change",
    id: "e1",
    parentId: null,
    timestamp: timestampOf(1),
    provider: "ollama",
    modelId: "qwen3:8b",
  },
  messageLine("e2", "e1", "user", [text("look at this"), { type: "image", data: pixel, mimeType: "image/png" }]),
  messageLine(
    "e3",
    "e2",
    "assistant",
    [
      { type: "thinking", thinking: "hm" },
      text("I look."),
      { type: "toolCall", id: "call:1/x", name: "bash", arguments: { command: "ls" } },
    ],
    { model: "qwen3:8b", stopReason: "toolUse", usage: { input: 100, output: 20, cacheRead: 50, cacheWrite: 0 } },
  ),
  messageLine("e4", "e3", "toolResult", [text("a.txt")], { toolCallId: "call:1/x", toolName: "bash", isError: false }),
  messageLine("e5", "e4", "assistant", [text("There is a.txt.")], { stopReason: "stop" }),
  messageLine("e6", "e5", "user", "first try"),
  messageLine("e7", "e6", "assistant", [text("first answer")], { stopReason: "stop" }),
  messageLine("e8", "e5", "user", "second try"),
  {
    type: "compaction",
    id: "e9",
    parentId: "e8",
    timestamp: timestampOf(9),
    summary: "so far",
    firstKeptEntryId: "e8",
    tokensBefore: 900,
  },
  messageLine("e10", "e9", "assistant", [text("second answer")], { stopReason: "stop" }),
  { type: "label", id: "e11", parentId: "e10", timestamp: timestampOf(11), targetId: "e8", label: "good" },
  { type: "session_info", id: "e12", parentId: "e11", timestamp: timestampOf(12), name: "Two tries" },
  { type: "custom", id: "e13", parentId: "e12", timestamp: timestampOf(13), customType: "x", data: {} },
];

export const good = jsonl({ type: "header" }, { type: "message", role: "user", content: "x" });
