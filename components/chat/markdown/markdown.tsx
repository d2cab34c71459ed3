"use client";
/** Renders untrusted markdown of a model while it streams; only the open blocks are parsed and rendered again. */
import { useState } from "react";
import { classes } from "../../ui/classes";
import { Block, lineBefore } from "./block";
import { advance, noSplit } from "./blocks";

export interface MarkdownProps {
  readonly text: string;
  /** More text will come: the end is rendered completed, with a soft caret. */
  readonly live: boolean;
  readonly className?: string;
}

export function Markdown({ text, live, className }: MarkdownProps) {
  const [state, setState] = useState(() => ({ source: text, split: advance(noSplit, text, live) }));
  let current = state;
  if (state.source !== text || state.split.live !== live) {
    // Derived state: setting it during render makes React render once, with the new state.
    current = { source: text, split: advance(state.split, text, live) };
    setState(current);
  }
  const { final, open } = current.split;
  return (
    <div className={classes("markdown", className)} data-live={live || undefined}>
      {final.map((block, index) => (
        <Block key={index} block={block} finished lineBefore={lineBefore(block.token, final[index - 1]?.token)} />
      ))}
      {open.map((block, index) => (
        <Block
          key={final.length + index}
          block={block}
          finished={!live || index < open.length - 1}
          lineBefore={lineBefore(block.token, (open[index - 1] ?? final.at(-1))?.token)}
        />
      ))}
    </div>
  );
}
