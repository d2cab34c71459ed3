"use client";
/** Read-only code: plain first, highlighted when the worker responds, without a layout shift. */
import { memo } from "react";
import { classes } from "../theme/classes";
import type { CodeLanguage } from "./code-language";
import { CodeLine } from "./code-line";
import { useHighlight } from "./highlighter";
import type { HiddenNames } from "../text/visible-text";

interface CodeViewProps {
  readonly code: string;
  readonly language: CodeLanguage | null;
  /** false = still streaming: not highlighted. */
  readonly finished?: boolean;
  readonly wrap?: boolean;
  readonly names: HiddenNames;
  readonly className?: string;
}

export const CodeView = memo(function CodeView({
  code,
  language,
  finished = true,
  wrap = false,
  names,
  className,
}: CodeViewProps) {
  const coloured = useHighlight(code, language, finished);
  const lines = code.split("\n");
  return (
    <pre
      tabIndex={0}
      className={classes(
        "overflow-x-auto text-code [tab-size:4]",
        wrap ? "whitespace-pre-wrap [overflow-wrap:anywhere]" : "whitespace-pre",
        className,
      )}
    >
      <code>
        {coloured === null
          ? code
          : lines.map((line, index) => (
              <span key={index}>
                <CodeLine text={line} names={names} colours={coloured[index]} />
                {index < lines.length - 1 && "\n"}
              </span>
            ))}
      </code>
    </pre>
  );
});
