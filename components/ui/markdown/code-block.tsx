"use client";
/**
 * A fenced code block with language, copy and wrap buttons; highlighted when it is finished. Those of a single line appear on hover
 * and focus, so that it is not more frame than code.
 */
import { WrapText } from "lucide-react";
import { useMemo, useState } from "react";
import { useMessages } from "../../messages/messages";
import { Button } from "../controls/button";
import { languageOfFence, languageOfPath } from "../code/code-language";
import { CodeView } from "../code/code-view";
import { CopyButton } from "../controls/copy-button";
import { classes } from "../theme/classes";
import { IconButton } from "../controls/icon-button";
import { parseFenceFile, parseLineFile } from "../text/file-reference";
import { useMarkdownLinks } from "./links";

interface CodeBlockProps {
  readonly code: string;
  /** The info string after the fence. */
  readonly info: string;
  readonly finished: boolean;
  /** The line before the block, which may name the file. */
  readonly lineBefore: string;
}

export function CodeBlock({ code, info, finished, lineBefore }: CodeBlockProps) {
  const messages = useMessages();
  const [wrap, setWrap] = useState(false);
  const { openPath } = useMarkdownLinks();
  const file = useMemo(() => parseFenceFile(info) ?? parseLineFile(lineBefore), [info, lineBefore]);
  const language = languageOfFence(info) ?? (file === null ? null : languageOfPath(file));
  const name =
    info
      .trim()
      .split(/[\s{,]/)[0]
      ?.slice(0, 24) ?? "";
  // Only when it is finished: the lines before would move when the second one arrives.
  const isLine = finished && file === null && !code.trimEnd().includes("\n");
  return (
    <figure data-code className="group relative my-3 overflow-hidden rounded-card border border-line bg-raised">
      <figcaption
        className={classes(
          "flex items-center gap-1 pr-1 text-small text-ink-muted select-none",
          isLine
            ? "absolute inset-y-0 right-0 z-10 bg-raised pl-1 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
            : "h-8 border-b border-line pl-3",
        )}
      >
        <span className={classes("min-w-0 flex-1 cut font-mono", isLine && "sr-only")} title={file ?? undefined}>
          {file ?? (name === "" ? messages.chat.code.plain : name)}
        </span>
        {file !== null && openPath !== null && (
          <Button
            look="quiet"
            size="small"
            className="h-6! px-2! max-tablet:h-8!"
            onClick={() => openPath(file, undefined)}
          >
            {messages.chat.openFile}
          </Button>
        )}
        <IconButton
          icon={WrapText}
          name={wrap ? messages.chat.code.unwrap : messages.chat.code.wrap}
          size="small"
          on={wrap}
          onClick={() => setWrap(!wrap)}
        />
        <CopyButton text={() => code} name={messages.chat.code.copy} doneName={messages.common.copied} />
      </figcaption>
      <CodeView
        code={code}
        language={language}
        finished={finished}
        wrap={wrap}
        names={messages.common.hidden}
        className={classes("px-3 py-2.5", isLine && "pointer-coarse:pr-24")}
      />
    </figure>
  );
}
