"use client";
/** Warning of the message field in Full access: whether commands are sandboxed, and how to get a sandbox that is missing. */
import { useConversationMessages } from "../../messages/conversation-messages";
import { joinSentences } from "../../messages/join-sentences";
import { useServerState } from "../../state/use-server-state";
import { useCommandQuery } from "../../state/use-command-query";

interface FullAccessWarningProps {
  readonly onLeave: () => void;
}

export function FullAccessWarning({ onLeave }: FullAccessWarningProps) {
  const messages = useConversationMessages();
  const { fullAccess: text } = messages;
  const use = useServerState("settings")?.sandbox ?? "off";
  const { data } = useCommandQuery("settings.sandbox", {}, { enabled: use !== "off" });
  return (
    <div className="flex flex-wrap items-center gap-x-2 rounded-t-[11px] bg-danger-soft px-4 py-1.5 text-small text-danger">
      <p className="flex-1">{use !== "off" && data?.works === true ? text.fenced : text.warning}</p>
      <button type="button" onClick={onLeave} className="font-medium underline underline-offset-2 max-tablet:h-11">
        {text.leave}
      </button>
      {use === "full_access" && data?.works === false && (
        <p className="basis-full">
          {joinSentences(messages, [text.missing, data.fix === undefined ? "" : text.fix.before])}
          {data.fix !== undefined && (
            <>
              <code className="font-mono [overflow-wrap:anywhere] select-all">{data.fix}</code>
              {text.fix.after}
            </>
          )}
        </p>
      )}
    </div>
  );
}
