"use client";
/** A fenced block: its language, copy, wrapping; coloured when it is finished. */
import { WrapText } from "lucide-react";
import { useState } from "react";
import { useWords } from "@/components/words/words";
import { languageOfFence } from "../../ui/code-language";
import { CodeView } from "../../ui/code-view";
import { CopyButton } from "../../ui/copy-button";
import { IconButton } from "../../ui/icon-button";

export interface CodeBlockProps {
  readonly code: string;
  /** What stands behind the fence. */
  readonly info: string;
  readonly finished: boolean;
}

export function CodeBlock({ code, info, finished }: CodeBlockProps) {
  const words = useWords();
  const [wrap, setWrap] = useState(false);
  const name =
    info
      .trim()
      .split(/[\s{,]/)[0]
      ?.slice(0, 24) ?? "";
  return (
    <figure data-code className="group my-3 overflow-hidden rounded-card border border-line bg-raised">
      <figcaption className="flex h-8 items-center gap-1 border-b border-line pr-1 pl-3 text-small text-ink-muted select-none">
        <span className="min-w-0 flex-1 cut font-mono">{name === "" ? words.chat.code.plain : name}</span>
        <IconButton
          icon={WrapText}
          name={wrap ? words.chat.code.unwrap : words.chat.code.wrap}
          size="small"
          on={wrap}
          onClick={() => setWrap(!wrap)}
        />
        <CopyButton text={() => code} name={words.chat.code.copy} doneName={words.common.copied} />
      </figcaption>
      <CodeView
        code={code}
        language={languageOfFence(info)}
        finished={finished}
        wrap={wrap}
        names={words.common.hidden}
        className="px-3 py-2.5"
      />
    </figure>
  );
}
