/** Adds to the message that is being written. */
import type { NewReference } from "@/lib/protocol/reference-commands";
import type { AppClient } from "../client";

/** Adds references, then a text; a hidden conversation is shown first. */
export function addToMessage(
  { handles, workbench }: Pick<AppClient, "handles" | "workbench">,
  references: readonly NewReference[],
  text = "",
): void {
  const { conversation } = handles;
  if (conversation === undefined) {
    handles.waitingMessage = { references, text };
    workbench.showPhoneTab("conversation");
    workbench.changeLayout((layout) => ({ ...layout, conversationHidden: false }));
    return;
  }
  for (const reference of references) conversation.attach(reference);
  if (text !== "") conversation.insert(text);
}
