/** The state of an extension in a word; nothing for one that is enabled. */
import type { ExtensionStatus, ExtensionView } from "@/lib/tools/extensions";
import { useFullMessages } from "../../messages/full-messages";
import { Chip } from "../../ui/indicators/chip";

const tones = { on: "plain", off: "plain", changed: "ask", gone: "ask", unusable: "danger" } as const satisfies Record<
  ExtensionStatus,
  string
>;

export function ExtensionStatusChip({ extension: { status } }: { readonly extension: ExtensionView }) {
  const { extensions: text } = useFullMessages();
  return <Chip tone={tones[status]}>{text.statuses[status]}</Chip>;
}
