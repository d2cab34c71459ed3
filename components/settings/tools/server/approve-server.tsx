"use client";
/** Asks whether a server may be used: its whole command or address, and what approving does. */
import { useFullMessages } from "../../../messages/full-messages";
import { Button } from "../../../ui/controls/button";
import { VisibleText } from "../../../ui/text/visible-text";
import { CommandLine } from "../command-line";
import { fileInProject } from "../server-texts";
import type { ServerPartProps } from "./server-page";
import { useChange } from "../../use-change";
import { mcpErrorText } from "../mcp-error-text";

export function ApproveServer({ server, project }: ServerPartProps) {
  const { mcp: text, common } = useFullMessages();
  const { isBusy, perform } = useChange("toast", mcpErrorText);
  const isFailed = server.status === "failed";
  const isAddress = server.launch.address !== undefined;
  const retryTitle = isAddress ? text.retryAddressTitle : text.retryTitle;
  const retryNote = isAddress ? text.retryAddressNote : text.retryNote;
  const effect = isAddress ? text.approveAddressEffect : text.approveEffect;
  const title = isFailed ? retryTitle : text.approveTitle;
  return (
    <section aria-label={title} className="overflow-hidden rounded-card border border-ask/60 bg-raised">
      <h3 className="border-b border-ask/40 bg-ask-soft px-3.5 py-2 font-medium">{title}</h3>
      <div className="grid gap-3 p-3.5 *:min-w-0">
        {!isFailed && (
          <>
            <p className="max-w-[68ch] text-pretty">{isAddress ? text.approveAddressNote : text.approveNote}</p>
            <CommandLine launch={server.launch} />
            {server.isOfProject && (
              <p className="max-w-[68ch] [overflow-wrap:anywhere]">
                <VisibleText
                  text={text.approveOfProject(fileInProject(server.file, project.path))}
                  names={common.hidden}
                />
              </p>
            )}
          </>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-0 flex-1 basis-72 text-pretty text-ink-muted">{isFailed ? retryNote : effect}</p>
          <Button
            look={server.signIn === undefined || server.signIn === "signed_in" ? "primary" : "plain"}
            busy={isBusy}
            onClick={() =>
              void perform("mcp.approve", { projectId: project.id, server: server.id, launch: server.launchHash })
            }
          >
            {text.approve}
          </Button>
        </div>
      </div>
    </section>
  );
}
