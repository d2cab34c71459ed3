/** Sessions for tests with a tiny model, whose outputs are scripted, on a real llama-server. */
import type { TinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import type { ImageRef } from "@/lib/events/content";
import type { ToolMode } from "@/lib/events/event";
import { asId, type CommandId } from "@/lib/events/id";
import { pathEntries, type SessionView } from "@/lib/view/view";
import type { Session } from "@/server/session/core/session-types";
import type { ModelRig } from "./test-model-rig";

let commands = 0;
/** A command ID that no other test of this process has. */
export const nextCommandId = (): CommandId => asId<CommandId>(`tiny${(commands += 1)}`);

type SessionModel = Parameters<Session["changeModel"]>[0];

/** Creates a session in full mode in the rig's project and gives it the model; throws if either is refused. */
export async function openTinySession(rig: ModelRig, model: SessionModel): Promise<Session> {
  const project = await rig.projects.open(rig.root);
  if (!project.ok) throw new Error(project.error.code);
  const { project: row, root } = project.value;
  const session = rig.registry.create({ projectId: row.id, cwd: root, mode: "full", commandId: nextCommandId() });
  const chosen = session.changeModel(model, nextCommandId());
  if (!chosen.ok) throw new Error(chosen.error.code);
  return session;
}

/** Sends a message; resolves with how its run ended. */
export async function sendPrompt(session: Session, text: string, images: readonly ImageRef[] = []) {
  const sent = session.send(text, "prompt", nextCommandId(), { images });
  if (!sent.ok) throw new Error(sent.error.code);
  return sent.value.done;
}

/** The answers on the current path, oldest first. */
export const answersOf = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" && entry.role === "assistant" ? [entry] : []));

/** A model that answers with these texts in turn. */
export const tinyModelWith = (...texts: readonly string[]): TinyModel => ({ answers: texts.map((text) => ({ text })) });

const native = (name: string, input: object): string =>
  `<tool_call>\n{"name": "${name}", "arguments": ${JSON.stringify(input)}}\n</tool_call>`;

/** Outputs per tool mode that read `notes.txt`, write `copy.txt` and report it. */
export const copyNotesOutputs: Readonly<Record<ToolMode, readonly string[]>> = {
  native: [
    `I read it first.\n${native("read", { path: "notes.txt" })}`,
    `Now the copy.\n${native("write", { path: "copy.txt", content: "the copied line\n" })}`,
    "Both files are there.",
  ],
  react: [
    'Thought: I look first.\nAction: read\nAction Input: {"path": "notes.txt"}',
    'Thought: Then the copy.\nAction: write\nAction Input: {"path": "copy.txt", "content": "the copied line\\n"}',
    "Final Answer: Both files are there.",
  ],
  xml: [
    'I read it first.\n<tool name="read"><path>notes.txt</path></tool>',
    'Now the copy.\n<tool name="write"><path>copy.txt</path><content>the copied line\n</content></tool>',
    "Both files are there.",
  ],
};
