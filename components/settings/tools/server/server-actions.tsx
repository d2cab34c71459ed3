"use client";
/** Shows the actions on a server: stop, switch off, sign out, read its log, remove. */
import { useState, useLayoutEffect, useRef } from "react";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { Button } from "../../../ui/controls/button";
import { RemoveItem } from "../../item-section/remove-item";
import type { ServerPartProps } from "./server-page";
import { useChange } from "../../../state/use-change";
import { mcpErrorText } from "../mcp-error-text";
import { stripAnsi } from "@/lib/text/ansi";
import { Skeleton } from "../../../ui/indicators/skeleton";
import { Dialog } from "../../../ui/overlays/dialog";
import { ForeignText } from "../../item-section/foreign-text";
import { useCommandQuery } from "../../../state/use-command-query";

/** Dialog with the last lines that a server wrote beside the protocol. A push loads them again. */
function ServerLog({ server, project, onClose }: ServerPartProps & { readonly onClose: () => void }) {
  const { mcp: text, common } = useFullMessages();
  const log = useCommandQuery(
    "mcp.log",
    { projectId: project.id, server: server.id },
    { gcTime: 0, select: ({ text: lines }) => lines },
  );
  const title = text.logTitle(server.name);
  return (
    <Dialog
      wide
      title={title}
      closeName={common.close}
      onClose={onClose}
      footer={
        <Button busy={log.isFetching} onClick={() => void log.refetch()}>
          {text.reload}
        </Button>
      }
    >
      <p className="mb-2 text-ink-muted">{text.logNote}</p>
      {log.isError && <p role="alert">{text.logFailed}</p>}
      {log.isPending && <Skeleton label={common.loading} className="h-40" />}
      {log.data === "" && <p>{text.logEmpty}</p>}
      {log.data !== undefined && log.data !== "" && <LogText text={stripAnsi(log.data)} label={title} />}
    </Dialog>
  );
}

/** Shows its end. */
function LogText({ text, label }: { readonly text: string; readonly label: string }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const area = box.current?.firstElementChild;
    if (area instanceof HTMLElement) area.scrollTop = area.scrollHeight;
  }, [text]);
  return (
    <div ref={box}>
      <ForeignText mono text={text.trimEnd()} label={label} className="max-h-[50dvh] whitespace-pre-wrap" />
    </div>
  );
}

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
