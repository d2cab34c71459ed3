/**
 * Whether a session has read content that others wrote: other programs, web pages, the files of a folder that the user
 * does not trust. Such content may contain instructions, so what the session then wants to remember is shown to the user
 * first.
 */
import type { ErrorCode } from "@/lib/events/error";
import { isCommandKind } from "@/lib/events/tool-presentations";
import type { ToolAccess } from "@/lib/permissions/policy";
import { type CallView, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { segmentEffects } from "@/server/security/commands/command-effects";
import { readCommand } from "@/server/security/shell/shell-parser";
import { builtInSource } from "@/server/tools/core/built-in-source";
import type { Catalogue, CatalogueTool } from "@/server/tools/toolbox/catalogue";
import { toolboxName } from "@/server/tools/toolbox/toolbox";

/** Commands of one session that are examined; a session with more counts as one that has read external content. */
const maxCommands = 500;

const ownNames: ReadonlySet<string> = new Set([toolboxName, ...builtInSource.tools().map(({ name }) => name)]);
const externalKinds: ReadonlySet<ToolAccess["kind"]> = new Set(["external", "net", "agent"]);

/**
 * Whether the conversation may contain text of others, of whatever origin. In a folder that is not trusted everything may
 * be: its guides and files. An imported session was written elsewhere, and the task of a subagent may repeat what its
 * parent has read.
 */
export async function mayHoldForeignText(
  view: SessionView,
  catalogue: Catalogue,
  isTrusted: boolean,
): Promise<boolean> {
  if (!isTrusted || view.imported === true || view.parent?.relation === "subagent") return true;
  return hasReadExternalContent(view, catalogue);
}

/**
 * True also for a text or an image that the user attached, unless it is a skill: who made it is unknown, and it may be a
 * resource of an MCP server. The same holds for the result of a tool that the catalogue no longer has.
 */
export async function hasReadExternalContent(view: SessionView, { tools }: Catalogue): Promise<boolean> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const commands = new Set<string>();
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind !== "message") continue;
    for (const block of entry.blocks) {
      if (block.type === "image") return true;
      if (block.type !== "reference" || block.kind !== "text" || block.skill === true) continue;
      // A pasted text, or a resource of an MCP server.
      if (block.command !== true) return true;
      commands.add(block.label.replace(/^!+/, ""));
    }
    for (const call of entry.calls) {
      if (!mayHaveOutput(call)) continue;
      if (isCommandKind(call.kind)) commands.add(call.target);
      else if (isExternalCall(call, byName.get(call.name))) return true;
    }
  }
  if (commands.size > maxCommands) return true;
  for (const command of commands) if (await usesNetwork(command)) return true;
  return false;
}

/** Failures of calls that were not passed on to a tool. */
const ownFailures: ReadonlySet<ErrorCode | undefined> = new Set([
  "unknown_tool",
  "tool_missing",
  "tool_off",
  "tool_changed",
  "not_approved",
  "bad_input",
  "plan_mode",
  "blocked",
]);

const mayHaveOutput = ({ state, facts }: CallView): boolean =>
  state !== "queued" && state !== "denied" && !ownFailures.has(facts.code);

function isExternalCall(call: CallView, tool: CatalogueTool | undefined): boolean {
  if (ownNames.has(call.name)) return false;
  return tool === undefined || accessesOf(tool).some(({ kind }) => externalKinds.has(kind));
}

function accessesOf({ tool }: CatalogueTool): readonly ToolAccess[] {
  const parsed = tool.parse({});
  try {
    return tool.access(parsed.ok ? parsed.input : {});
  } catch {
    // Its access depends on an input that is not in the view, as that of a request to a host.
    return [{ kind: "net", host: "", method: "GET" }];
  }
}

async function usesNetwork(command: string): Promise<boolean> {
  const parsed = await readCommand(command);
  return (
    parsed.kind === "unreadable" ||
    parsed.segments.some((segment) =>
      segmentEffects(segment, () => false).some((effect) => effect === "network" || effect === "local_network"),
    )
  );
}
