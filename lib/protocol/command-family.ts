/** Families of commands: all commands whose names have the same first word. */
import type { CommandName } from "./command";

/** A command, or all commands of a family: `"mcp."`. */
export type CommandFamily = CommandName | (CommandName extends `${infer F}.${string}` ? `${F}.` : never);

/** Commands of a family. */
export type FamilyCommand<F extends CommandFamily> = F extends `${string}.`
  ? Extract<CommandName, `${F}${string}`>
  : Extract<CommandName, F>;

export const isOfFamily = (name: string, family: CommandFamily): boolean =>
  family.endsWith(".") ? name.startsWith(family) : name === family;
