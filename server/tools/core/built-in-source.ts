/** The built-in tools. Their order and schemas are part of the prompt, and so of every model server's prefix cache. */
import { bash } from "../shell/bash";
import { deleteTool } from "../change/delete";
import { editTool } from "../change/edit";
import { findTool } from "../read/find";
import { grepTool } from "../read/grep";
import { lsTool } from "../read/ls";
import { readTool } from "../read/read";
import type { Tool } from "./tool";
import type { ToolSource } from "./tool-source";
import { writeTool } from "../change/write";

const tools: readonly Tool[] = [readTool, lsTool, findTool, grepTool, editTool, writeTool, deleteTool, bash];

/** Without a token budget: a test limits the whole prompt. */
export const builtInSource: ToolSource = { id: "built-in", budgetTokens: null, tools: () => tools };
