/** The built-in tools in the order of the prompt, and their schemas for the model. */
import type { Profile } from "@/lib/events/event";
import { toolDescription } from "@/server/prompts/prompts";
import { findBuiltinTool } from "../arguments/foreign-calls";
import { bash } from "../shell/bash";
import { deleteTool } from "../change/delete";
import { editTool } from "../change/edit";
import { findTool } from "../read/find";
import { grepTool } from "../read/grep";
import { lsTool } from "../read/ls";
import { readTool } from "../read/read";
import type { Tool } from "./tool";
import { writeTool } from "../change/write";

/** Order and bytes of the schemas are part of the prompt, and so of every model server's prefix cache. */
export const builtinTools: readonly Tool[] = [
  readTool,
  lsTool,
  findTool,
  grepTool,
  editTool,
  writeTool,
  deleteTool,
  bash,
];

/**
 * Returns the tool schemas for a model. For the built-in tools the small profile has shorter descriptions, the full
 * one longer ones.
 */
export const buildToolSchemas = (
  tools: readonly Tool[],
  profile: Profile = "default",
): readonly Pick<Tool, "name" | "description" | "parameters">[] =>
  tools.map((tool) => ({
    name: tool.name,
    description:
      profile !== "default" && builtinTools.includes(tool) ? toolDescription(tool.name, profile) : tool.description,
    parameters: tool.parameters,
  }));

const builtinNames = builtinTools.map((tool) => tool.name);

/** Formats the answer to a call of a tool that does not exist. `names` = the tools the model received. */
export function formatUnknownTool(name: string, names: readonly string[] = builtinNames): string {
  const tool = findBuiltinTool(name);
  const meant = names.find((candidate) => candidate === tool);
  const hint = meant === undefined ? "" : ` Use ${meant}.`;
  return `There is no tool "${name.slice(0, 60)}".${hint} The tools are: ${names.join(", ")}.`;
}
