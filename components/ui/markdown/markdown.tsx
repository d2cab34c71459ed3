"use client";
/** Renders untrusted markdown of a model while it streams; only the open blocks are parsed and rendered again. */
import { useState } from "react";
import { classes } from "../theme/classes";
import { BlockView, lineBefore } from "./block-view";
import { advanceSplit, emptySplit } from "./markdown-split";

interface MarkdownProps {
  readonly text: string;
  /** More text will come: the end is rendered completed, with a soft caret. */
  readonly live: boolean;
  readonly className?: string;
}

export function Markdown({ text, live, className }: MarkdownProps) {
  const [state, setState] = useState(() => ({ source: text, split: advanceSplit(emptySplit, text, live) }));
  let current = state;
  if (state.source !== text || state.split.live !== live) {
    // Derived state: setting it during render makes React render once, with the new state.
    current = { source: text, split: advanceSplit(state.split, text, live) };
    setState(current);
  }
  const { final, open } = current.split;
  return (
    <div className={classes("markdown", className)} data-live={live || undefined}>
      {final.map((block, index) => (
        <BlockView key={index} block={block} finished lineBefore={lineBefore(block.token, final[index - 1]?.token)} />
      ))}
      {open.map((block, index) => (
        <BlockView
          key={final.length + index}
          block={block}
          finished={!live || index < open.length - 1}
          lineBefore={lineBefore(block.token, (open[index - 1] ?? final.at(-1))?.token)}
        />
      ))}
    </div>
  );
}
