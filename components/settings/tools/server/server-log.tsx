"use client";
/** Dialog with the last lines that a server wrote beside the protocol. A push loads them again. */
import { useLayoutEffect, useRef } from "react";
import { stripAnsi } from "@/lib/text/ansi";
import { useFullMessages } from "../../../messages/full-messages";
import { Button } from "../../../ui/controls/button";
import { Skeleton } from "../../../ui/indicators/skeleton";
import { Dialog } from "../../../ui/overlays/dialog";
import { ForeignText } from "../../item-section/foreign-text";
import type { ServerPartProps } from "./server-page";
import { useCommandQuery } from "../../../state/use-command-query";

export function ServerLog({ server, project, onClose }: ServerPartProps & { readonly onClose: () => void }) {
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
