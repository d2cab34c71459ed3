import type { Messages } from "../../../messages/messages";
import type { SlashCommand } from "./slash-commands";

/** Returns what may follow the name of a command; undefined = nothing, or its argument is chosen. */
export function argumentHint(
  { form: { argument }, argument: chosen }: SlashCommand,
  names: Messages["composer"]["slash"]["arguments"],
): string | undefined {
  if (argument === undefined || chosen !== undefined) return undefined;
  return typeof argument === "string" ? names[argument] : argument.join("|");
}
