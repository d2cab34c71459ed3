/** The menu above the message field that takes the keys. */
import type { MentionMenuState } from "./references/use-mentions";
import { slashRowId, slashText } from "./slash/slash-commands";
import type { SlashMenuState } from "./slash/use-slash-menu";

/** The menu that takes the keys, and the id of its selected row; null = none is open. */
export function openMenu(
  id: string,
  slashMenu: SlashMenuState,
  mentions: MentionMenuState,
): {
  readonly name: string;
  readonly rowId: string;
  readonly control: Pick<SlashMenuState, "move" | "dismiss">;
} | null {
  if (mentions.isOffering) return { name: "", rowId: `${id}-${mentions.index}`, control: mentions };
  const { chosen } = slashMenu;
  return chosen === null ? null : { name: slashText(chosen), rowId: slashRowId(id, chosen), control: slashMenu };
}
