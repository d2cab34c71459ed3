/** Why a card asks although the mode or a rule would allow the call: a gate of an extension. */
import { ShieldAlert } from "lucide-react";
import type { GateNote } from "@/lib/permissions/gate";
import { useConversationMessages } from "../../messages/conversation-messages";
import { Icon } from "../../ui/indicators/icon";
import { VisibleText } from "../../ui/text/visible-text";

export function GateLine({ note: { gate, reason, failure, file } }: { readonly note: GateNote }) {
  const { approval, common } = useConversationMessages();
  return (
    <div data-gate className="flex gap-2 border-t border-line px-3 py-2 text-small">
      <Icon of={ShieldAlert} size={14} className="mt-0.5 shrink-0 text-ask" />
      <p className="min-w-0 [overflow-wrap:anywhere]">
        {failure === "not_loaded" && file !== undefined ? (
          <VisibleText text={approval.gateFile(file, gate)} names={common.hidden} />
        ) : (
          approval.gate[failure ?? "asks"](gate)
        )}
        {reason !== "" && failure !== "not_loaded" && (
          <q className="mt-0.5 block text-ink-muted">
            <VisibleText text={reason} names={common.hidden} />
          </q>
        )}
      </p>
    </div>
  );
}
