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

/** The output that calls a tool with these texts, as a model writes it in this tool mode. */
export function callText(mode: ToolMode, name: string, input: Readonly<Record<string, string>>): string {
  if (mode === "react") return `Action: ${name}\nAction Input: ${JSON.stringify(input)}`;
  if (mode === "native") return `<tool_call>\n{"name": "${name}", "arguments": ${JSON.stringify(input)}}\n</tool_call>`;
  const fields = Object.entries(input).map(([field, value]) => `<${field}>${value}</${field}>`);
  return `<tool name="${name}">${fields.join("")}</tool>`;
}

const copied = { path: "copy.txt", content: "the copied line\n" };

/** Outputs per tool mode that read `notes.txt`, write `copy.txt` and report it. */
export const copyNotesOutputs: Readonly<Record<ToolMode, readonly string[]>> = {
  native: [
    `I read it first.\n${callText("native", "read", { path: "notes.txt" })}`,
    `Now the copy.\n${callText("native", "write", copied)}`,
    "Both files are there.",
  ],
  react: [
    `Thought: I look first.\n${callText("react", "read", { path: "notes.txt" })}`,
    `Thought: Then the copy.\n${callText("react", "write", copied)}`,
    "Final Answer: Both files are there.",
  ],
  xml: [
    `I read it first.\n${callText("xml", "read", { path: "notes.txt" })}`,
    `Now the copy.\n${callText("xml", "write", copied)}`,
    "Both files are there.",
  ],
};
