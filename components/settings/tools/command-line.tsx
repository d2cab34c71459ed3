/** The whole command by which a server is started, with a button that copies it. */
import { useFullMessages } from "../../messages/full-messages";
import { CopyButton } from "../../ui/controls/copy-button";
import { VisibleText } from "../../ui/text/visible-text";
import { commandText } from "./server-texts";

export function CommandLine({ command }: { readonly command: readonly string[] }) {
  const messages = useFullMessages();
  const line = commandText(command);
  return (
    <div className="flex items-start gap-1 rounded-card border border-line bg-canvas py-1.5 pr-1.5 pl-3">
      <code className="min-w-0 flex-1 self-center py-0.5 font-mono text-code whitespace-pre-wrap [overflow-wrap:anywhere]">
        <VisibleText text={line} names={messages.common.hidden} />
      </code>
      <CopyButton text={() => line} name={messages.mcp.copyCommand} doneName={messages.common.copied} />
    </div>
  );
}
