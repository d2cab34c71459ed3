/** References of messages: measured before they are added, read when the message is sent; skills that a message names. */
import type { CommandInput, CommandOutput } from "@/lib/protocol/command";
import type { ReferenceBlock } from "@/lib/events/content";
import { fail, ok, type Result } from "@/lib/events/error";
import type { Reference } from "@/lib/protocol/reference-commands";
import { serverLimits } from "@/lib/settings/server-limits";
import type { SessionView } from "@/lib/view/view";
import type { WantedModel } from "@/server/models/access/session-models";
import type { SessionServices } from "../core/services";
import { hasToolbox, sessionPrompt } from "../core/session-prompt";
import { measureReferences, referenceBudget, resolveReferences } from "../references/resolve-references";
import type { SessionClient, SessionLookup, SessionServiceOptions } from "./session-service";
import { neverAborted } from "@/server/base/abort";

interface WrittenMessage {
  readonly text: string;
  /** A text that begins with `/skill:name` puts that skill into use; default: true. A step may repeat a program's text. */
  readonly isExpanded?: boolean;
  readonly references: readonly Reference[];
}

interface ResolvedMessage {
  /** Without the name of the skill at its start. */
  readonly text: string;
  /** A message with a reference that cannot be sent is refused. */
  readonly references: Result<readonly ReferenceBlock[]>;
}

export interface MessageReferences {
  measureReferences(
    input: CommandInput<"references.measure">,
    client: SessionClient,
  ): Promise<Result<CommandOutput<"references.measure">>>;
  /** Reads the references of a message, and for `/skill:name text` the skill. */
  resolveMessage(
    view: SessionView,
    message: WrittenMessage,
    wanted: WantedModel | undefined,
    signal: AbortSignal,
  ): Promise<ResolvedMessage>;
}

/** A wanted model as the two optional fields of an input. */
export const wantedModel = ({ model = "", connection }: { readonly model?: string; readonly connection?: string }) => ({
  name: model,
  connection,
});

const skillCommand = /^\s*\/(skill:[^\s/]+)(?:\s+([^]*))?$/;

export function makeMessageReferences(
  { services, access, projects }: SessionServiceOptions,
  { get }: SessionLookup,
): MessageReferences {
  const resolve = async (
    view: SessionView,
    list: readonly Reference[],
    wanted: WantedModel | undefined,
    signal: AbortSignal,
  ): Promise<Result<readonly ReferenceBlock[]>> => {
    if (list.length === 0) return ok([]);
    const project = await projects.get(view.projectId);
    if (!project.ok) return project;
    const budget = referenceBudget(services, view.model, wanted);
    return resolveReferences(list, { project: project.value, view, budget, services, get }, signal);
  };
  return {
    async measureReferences({ projectId, sessionId, model, connection, references: list }, { disconnected }) {
      const session = sessionId === undefined ? ok(null) : get(sessionId);
      if (!session.ok) return session;
      const view = session.value?.view ?? null;
      const project = await projects.get(view?.projectId ?? projectId);
      if (!project.ok) return project;
      if (view === null) await access.ensureListed(connection ?? "");
      const wanted = model === undefined ? undefined : wantedModel({ model, connection });
      const budget = referenceBudget(services, view?.model ?? null, wanted);
      const signal = disconnected ?? neverAborted;
      return ok(await measureReferences(list, { project: project.value, view, budget, services, get }, signal));
    },
    async resolveMessage(view, { text, references: list, isExpanded = true }, wanted, signal) {
      const references = await resolve(view, list, wanted, signal);
      const [, name, rest = ""] = isExpanded ? (skillCommand.exec(text) ?? []) : [];
      if (name === undefined || !references.ok) return { text, references };
      const skill = await readSkill(services, view, name, wanted, signal);
      return {
        text: rest.trim() === "" ? text : rest.trim(),
        references: skill.ok ? ok([skill.value, ...references.value]) : skill,
      };
    },
  };
}

/** Reads the skill that a message puts into use. Fails with not_found, tool_off, gone and bad_input; facts: `reference`. */
async function readSkill(
  services: SessionServices,
  view: SessionView,
  name: string,
  wanted: WantedModel | undefined,
  signal: AbortSignal,
): Promise<Result<ReferenceBlock>> {
  const { catalogue, chooseModel } = services;
  const { projectId, model } = view;
  const tool = catalogue(projectId).tools.find((one) => one.name === name.toLowerCase());
  if (tool?.attachment === undefined)
    return fail(tool?.obstacle?.kind === "off" ? "tool_off" : "not_found", undefined, { reference: name });
  // A new session gets its prompt with this message.
  const choice = wanted === undefined && model !== null ? null : chooseModel(wanted ?? { name: "" });
  const windowTokens = (choice?.change ?? model)?.numCtx ?? serverLimits.windowMinTokens;
  const place = {
    windowTokens,
    hasToolbox: hasToolbox(choice?.prompt ?? (model === null ? null : sessionPrompt(view, services))),
  };
  const text = await tool.attachment(place, signal);
  if (!text.ok) return fail(text.error.code, undefined, { reference: name });
  return ok({ type: "reference", kind: "text", label: tool.name, text: text.value, skill: true });
}
