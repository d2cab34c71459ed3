"use client";
/** Output of a call, loaded on demand if it was shortened; with a link to the full output if it was cut. */
import { useEffect, useState } from "react";
import { useWords } from "@/components/words/words";
import { type Block, textOf } from "@/lib/content";
import type { CallView } from "@/lib/view";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { Skeleton } from "../../ui/skeleton";
import { useConversationActions } from "../actions";
import { LinkedOutput } from "./linked-output";
import { printedText } from "./tool-facts";

type Loaded = { readonly state: "no" | "failed" } | { readonly state: "yes"; readonly blocks: readonly Block[] };

export function OutputBlock({ call }: { readonly call: CallView }) {
  const words = useWords();
  const { loadOutput, openOutput } = useConversationActions();
  const [loaded, setLoaded] = useState<Loaded>({ state: "no" });
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
  const text = printedText(call, textOf(blocks));
  const styles = blocks[0]?.type === "text" ? blocks[0].styles : undefined;
  if (shortened && loadOutput !== null && loaded.state === "no" && text === "")
    return <Skeleton className="h-16" label={words.common.loading} />;
  return (
    <div>
      {text.trim() === "" ? (
        <p className="px-3 py-2 text-ink-muted">{isHeldBack ? words.tools.notShared : words.tools.noOutput}</p>
      ) : (
        <div className="group relative">
          <pre
            tabIndex={0}
            className="max-h-80 overflow-auto px-3 py-2 text-code whitespace-pre-wrap [overflow-wrap:anywhere] [tab-size:4]"
          >
            <LinkedOutput text={text} {...(styles === undefined ? {} : { styles })} />
          </pre>
          <CopyButton
            text={() => text}
            name={words.common.copy}
            doneName={words.common.copied}
            className="absolute top-1 right-2 bg-raised opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
          />
        </div>
      )}
      {loaded.state === "failed" && <p className="px-3 pb-2 text-danger">{words.tools.loadFailed}</p>}
      {call.cut !== undefined && !isHeldBack && (
        <p className="flex items-center gap-2 border-t border-line py-1 pr-1 pl-3 text-small text-ink-muted">
          <span className="flex-1">
            {words.tools.cut(words.figures.bytes(call.cut.shown), words.figures.bytes(call.cut.total))}
          </span>
          {call.cut.blob !== undefined && openOutput !== null && (
            <Button look="quiet" size="small" onClick={() => openOutput(call.callId)}>
              {words.tools.openFull}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}
