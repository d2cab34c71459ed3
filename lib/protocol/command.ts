/** Table of all client commands: input schema (parsed on receipt), result type and required access. */
import type * as z from "zod/mini";
import type { Welcome } from "./answers";
import { accessCommands } from "./access-commands";
import { defineCommand, noInput } from "./command-input";
import { imageCommands } from "./image-commands";
import { modelCommands } from "./model-commands";
import { sessionCommands } from "./session-commands";
import { workspaceCommands } from "./workspace-commands";

export const commands = {
  "app.welcome": defineCommand<Welcome>()(noInput),
  ...workspaceCommands,
  ...sessionCommands,
  ...imageCommands,
  ...modelCommands,
  ...accessCommands,
} as const;

export type CommandName = keyof typeof commands;
export type CommandInput<N extends CommandName> = z.infer<(typeof commands)[N]["input"]>;
/** Input as the caller writes it; ids are already branded. */
export type CommandRequest<N extends CommandName> = CommandInput<N>;
export type CommandOutput<N extends CommandName> = Exclude<(typeof commands)[N]["output"], undefined>;

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name);
