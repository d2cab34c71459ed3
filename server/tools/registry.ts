/** The built-in tools in the order of the prompt, and their schemas for the model. */
import type { Profile } from "@/lib/event";
import { toolText } from "../prompts/prompts";
import { meantTool } from "./aliases";
import { bash } from "./bash";
import { deleteTool } from "./delete";
import { edit } from "./edit";
import { find } from "./find";
import { grep } from "./grep";
import { ls } from "./ls";
import { read } from "./read";
import type { Tool } from "./tool";
import { write } from "./write";

/** Order and bytes of the schemas are part of the prompt, and so of every model server's prefix cache. */
export const builtinTools: readonly Tool[] = [read, ls, find, grep, edit, write, deleteTool, bash];

/**
 * Returns the tool schemas for a model. For the built-in tools the small profile has shorter descriptions, the full
 * one longer ones.
 */
export const toolSchemas = (
  tools: readonly Tool[],
  profile: Profile = "default",
): readonly Pick<Tool, "name" | "description" | "parameters">[] =>
  tools.map((tool) => ({
    name: tool.name,
    description: profile !== "default" && builtinTools.includes(tool) ? toolText(tool.name, profile) : tool.description,
    parameters: tool.parameters,
  }));

const builtinNames = builtinTools.map((tool) => tool.name);

/** Formats the answer to a call of a tool that does not exist. `names` = the tools the model received. */
export function unknownToolText(name: string, names: readonly string[] = builtinNames): string {
  const tool = meantTool(name);
  const meant = names.find((candidate) => candidate === tool);
  const hint = meant === undefined ? "" : ` Use ${meant}.`;
  return `There is no tool "${name.slice(0, 60)}".${hint} The tools are: ${names.join(", ")}.`;
}
