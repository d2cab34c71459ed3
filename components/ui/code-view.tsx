"use client";
/** Code to read: plain at once, coloured when the worker has answered, without any change of layout. */
import { memo } from "react";
import { classes } from "./classes";
import type { CodeLanguage } from "./code-language";
import { CodeLine } from "./code-line";
import { useHighlight } from "./highlighter";
import type { HiddenNames } from "./visible-text";

export interface CodeViewProps {
  readonly code: string;
  readonly language: CodeLanguage | null;
  /** Not finished = still being written: stays plain. */
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
                <CodeLine
                  text={line}
                  names={names}
                  {...(coloured[index] === undefined ? {} : { colours: coloured[index] })}
                />
                {index < lines.length - 1 && "\n"}
              </span>
            ))}
      </code>
    </pre>
  );
});
