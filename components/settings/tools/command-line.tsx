/** The whole command by which a server is started, or its address, with a button that copies it. */
import type { McpLaunch } from "@/lib/tools/mcp";
import { useFullMessages } from "../../messages/full-messages";
import { CopyButton } from "../../ui/controls/copy-button";
import { VisibleText } from "../../ui/text/visible-text";
import { launchText } from "./server-texts";

export function CommandLine({ launch }: { readonly launch: Pick<McpLaunch, "command" | "address"> }) {
  const { mcp: text, common } = useFullMessages();
  const line = launchText(launch);
  return (
    <div className="flex items-start gap-1 rounded-card border border-line bg-canvas py-1.5 pr-1.5 pl-3">
      <code className="min-w-0 flex-1 self-center py-0.5 font-mono text-code whitespace-pre-wrap [overflow-wrap:anywhere]">
        <VisibleText text={line} names={common.hidden} />
      </code>
      <CopyButton
        text={() => line}
        name={launch.address === undefined ? text.copyCommand : text.copyAddress}
        doneName={common.copied}
      />
    </div>
  );
}
