"use client";
/** What can be done with a server: stop, switch off, sign out, read its log, remove. */
import { useState } from "react";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { Button } from "../../../ui/controls/button";
import { RemoveItem } from "../../remove-item";
import { ServerLog } from "./server-log";
import type { ServerPartProps } from "./server-page";
import { useChange } from "../../use-change";
import { mcpErrorText } from "../mcp-error-text";

export function ServerActions({ server, project }: ServerPartProps) {
  const { mcp: text } = useFullMessages();
  const { perform } = useChange("toast", mcpErrorText);
  const [isLogOpen, setIsLogOpen] = useState(false);
  const { status } = server;
  const target = { projectId: project.id, server: server.id };
  const isDisabled = status === "disabled";
  return (
    <div className="flex flex-wrap items-center gap-2">
      {(status === "starting" || status === "running") && (
        <Button onClick={() => void perform("mcp.stop", target)}>{text.stop}</Button>
      )}
      {server.isOfProject ? (
        status !== "unapproved" &&
        !isDisabled && <Button onClick={() => void perform("mcp.remove", target)}>{text.withdraw}</Button>
      ) : (
        <Button onClick={() => void perform("mcp.disable", { ...target, disabled: !isDisabled })}>
          {isDisabled ? text.enable : text.disable}
        </Button>
      )}
      {(server.signIn === "signed_in" || server.signIn === "scope_missing") && (
        <Button onClick={() => void perform("mcp.sign_out", target)}>{text.signOut}</Button>
      )}
      <Button onClick={() => setIsLogOpen(true)}>{text.log}</Button>
      <span className="flex-1" />
      {server.isOfProject ? (
        <span className="text-small text-ink-muted">{text.removeInFile}</span>
      ) : (
        <RemoveServer server={server} project={project} />
      )}
      {isLogOpen && <ServerLog server={server} project={project} onClose={() => setIsLogOpen(false)} />}
    </div>
  );
}

function RemoveServer({ server, project }: ServerPartProps) {
  const { mcp: text } = useFullMessages();
  const { toasts } = useClient();
  const { perform } = useChange("toast", mcpErrorText);
  const remove = async (): Promise<boolean> => {
    const next = await perform("mcp.remove", { projectId: project.id, server: server.id });
    if (next !== undefined) toasts.show({ text: text.removed(server.name) });
    return next !== undefined;
  };
  return (
    <RemoveItem label={text.remove} title={text.removeTitle(server.name)} yes={text.removeYes} remove={remove}>
      <p className="[overflow-wrap:anywhere]">{text.removeNote(server.file)}</p>
    </RemoveItem>
  );
}
