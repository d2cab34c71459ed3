/** Commands the user runs from the message field: `!npm test`, and `!!npm test`, which the model never gets. Pure. */
import type { Block, Json, Role } from "./content";
import type { Origin } from "./event";

export interface UserCommand {
  readonly command: string;
  /** Command and output go with the next message. */
  readonly isAdded: boolean;
}

/** Name of the call in a user's message that is a command; no tool has it. */
export const userCommandName = "user_command";

/** Parses the text of the message field; null = it is a message, or the command is empty. */
export function parseUserCommand(text: string): UserCommand | null {
  const [, marks = "", command = ""] = /^(!!?)\s*([^]*?)\s*$/.exec(text) ?? [];
  return command === "" ? null : { command, isAdded: marks === "!" };
}

/** True while a command is being written, even an empty one. A space before the mark makes it a message. */
export const isUserCommandText = (text: string): boolean => text.startsWith("!");

/** Formats a command as it is typed. A space keeps the mark apart from a negation, `! grep x`. */
export const formatUserCommand = ({ command, isAdded }: UserCommand): string =>
  `${isAdded ? "!" : "!!"}${command.startsWith("!") ? " " : ""}${command}`;

/** The input of the call of a command. */
export const userCommandInput = ({ command, isAdded }: UserCommand): Json => ({ command, added: isAdded });

interface MessageParts<C> {
  readonly role: Role;
  readonly blocks: readonly (Block | { readonly type: "input" })[];
  readonly calls: readonly C[];
}

/** The command that a user's message is, with its call; null = it is an ordinary message. */
export function findUserCommand<C extends { readonly target: string }>({
  role,
  blocks,
  calls,
}: MessageParts<C>): (UserCommand & { readonly call: C }) | null {
  const [block] = blocks;
  const [call] = calls;
  if (role !== "user" || block?.type !== "call" || block.name !== userCommandName || call === undefined) return null;
  return { command: call.target, isAdded: isAddedInput(block.input), call };
}

const isAddedInput = (input: Json): boolean =>
  typeof input === "object" && input !== null && "added" in input && input.added === true;

/**
 * True for a message that the model never gets: a command of the user, or a call that a step of a workflow made. No other
 * answer has an origin.
 */
export const isOutsideContext = <C extends { readonly target: string }>(
  message: MessageParts<C> & { readonly origin?: Origin },
): boolean => findUserCommand(message) !== null || (message.role === "assistant" && message.origin !== undefined);
