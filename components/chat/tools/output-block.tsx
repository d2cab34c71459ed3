"use client";
/** Output of a call, loaded on demand if it was shortened; with a link to the full output if it was cut. */
import { useEffect, useState } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import { type Block, joinTextBlocks } from "@/lib/events/content";
import type { CallView } from "@/lib/view/view";
import { Button } from "../../ui/controls/button";
import { CopyButton } from "../../ui/controls/copy-button";
import { Skeleton } from "../../ui/indicators/skeleton";
import { useConversationActions } from "../actions";
import { LinkedOutput } from "./linked-output";
import { stripStatusNote } from "./tool-facts";

type LoadedOutput = { readonly state: "no" | "failed" } | { readonly state: "yes"; readonly blocks: readonly Block[] };

export function OutputBlock({ call }: { readonly call: CallView }) {
  const messages = useConversationMessages();
  const { loadOutput, openOutput } = useConversationActions();
  const [loaded, setLoaded] = useState<LoadedOutput>({ state: "no" });
  // A viewer has no stored copy to open: an output with nothing shown is withheld.
  const isHeldBack = loadOutput === null || (openOutput === null && call.cut?.shown === 0 && call.cut.total > 0);
  const shortened = call.outputChars !== undefined;
  useEffect(() => {
    if (!shortened || loaded.state !== "no" || loadOutput === null) return;
    let wanted = true;
    void loadOutput(call.callId).then((blocks) => {
      if (wanted) setLoaded(blocks === null ? { state: "failed" } : { state: "yes", blocks });
    });
    return () => {
      wanted = false;
    };
  }, [shortened, loaded.state, loadOutput, call.callId]);
  const blocks = loaded.state === "yes" ? loaded.blocks : (call.output ?? []);
  const text = stripStatusNote(call, joinTextBlocks(blocks));
  const styles = blocks[0]?.type === "text" ? blocks[0].styles : undefined;
  if (shortened && loadOutput !== null && loaded.state === "no" && text === "")
    return <Skeleton className="h-16" label={messages.common.loading} />;
  return (
    <div>
      {text.trim() === "" ? (
        <p className="px-3 py-2 text-ink-muted">{isHeldBack ? messages.tools.notShared : messages.tools.noOutput}</p>
      ) : (
        <div className="group relative">
          <pre
            tabIndex={0}
            className="max-h-80 overflow-auto px-3 py-2 text-code whitespace-pre-wrap [overflow-wrap:anywhere] [tab-size:4]"
          >
            <LinkedOutput text={text} styles={styles} />
          </pre>
          <CopyButton
            text={() => text}
            name={messages.common.copy}
            doneName={messages.common.copied}
            className="absolute top-1 right-2 bg-raised opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
          />
        </div>
      )}
      {loaded.state === "failed" && <p className="px-3 pb-2 text-danger">{messages.tools.loadFailed}</p>}
      {call.cut !== undefined && !isHeldBack && (
        <p className="flex items-center gap-2 border-t border-line py-1 pr-1 pl-3 text-small text-ink-muted">
          <span className="flex-1">
            {messages.tools.cut(messages.figures.bytes(call.cut.shown), messages.figures.bytes(call.cut.total))}
          </span>
          {call.cut.blob !== undefined && openOutput !== null && (
            <Button look="quiet" size="small" onClick={() => openOutput(call.callId)}>
              {messages.tools.openFull}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}
