"use client";
/** Warns of a server that runs the newest version of its package at each start, and pins the version it has now. */
import { TriangleAlert } from "lucide-react";
import { useRef, useState } from "react";
import type { AgentError } from "@/lib/events/error";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { performCommand } from "../../../state/command-answers";
import { Button } from "../../../ui/controls/button";
import { Icon } from "../../../ui/indicators/icon";
import { McpError } from "../mcp-error";
import { registryName } from "../server-texts";
import { useChange } from "../../../state/use-change";
import { mcpErrorText } from "../mcp-error-text";
import type { ServerPartProps } from "./server-page";

export function NewestVersion({ server, project }: ServerPartProps) {
  const { mcp: text } = useFullMessages();
  const client = useClient();
  const { perform } = useChange("toast", mcpErrorText);
  const [error, setError] = useState<AgentError | null>(null);
  const section = useRef<HTMLElement>(null);
  const input = { projectId: project.id, server: server.id };
  const pin = async (): Promise<void> => {
    setError(null);
    const pinned = await performCommand(client, "mcp.pin", { ...input, launch: server.launchHash });
    if (!pinned.ok) return setError(pinned.error.code === "aborted" ? null : pinned.error);
    const page = section.current?.contains(document.activeElement) === true ? section.current.parentElement : null;
    // The pressed button is removed in the next frame; the next step is the approval.
    requestAnimationFrame(() => page?.querySelector<HTMLElement>("[data-look=primary]")?.focus());
    client.toasts.show({ text: text.pinned(pinned.value.version) });
  };
  const isPinning = server.unpinned?.isPinning === true;
  return (
    <section
      ref={section}
      aria-label={text.newestTitle}
      className="grid gap-2 rounded-card border border-line bg-raised px-3.5 py-3"
    >
      <div className="flex gap-2.5">
        <Icon of={TriangleAlert} className="mt-0.5 text-ask" />
        <div className="min-w-0">
          <h3 className="font-medium">{text.newestTitle}</h3>
          <p className="max-w-[68ch] text-pretty">{text.newest(registryName(server.launch.command))}</p>
          <p className="mt-1.5 max-w-[68ch] text-pretty">{server.isOfProject ? text.pinYourself : text.pinNote}</p>
        </div>
      </div>
      {!server.isOfProject && (
        <div className="flex flex-wrap items-center gap-2 pl-[26px]">
          <Button size="small" busy={isPinning} onClick={() => void pin()}>
            {text.pinVersion}
          </Button>
          {isPinning && (
            <Button size="small" look="quiet" onClick={() => void perform("mcp.stop_pin", input)}>
              {text.stopPin}
            </Button>
          )}
        </div>
      )}
      {error !== null && <McpError error={error} />}
    </section>
  );
}
