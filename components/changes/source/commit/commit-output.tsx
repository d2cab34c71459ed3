"use client";
/** Output of the hooks of a commit, while it runs and after it failed. */
import { useCallback, useState } from "react";
import type { PushOf } from "@/lib/protocol/topics";
import type { ProjectId } from "@/lib/events/id";
import { joinOutput, type TerminalOutput } from "@/lib/terminal/terminal";
import { useFullMessages } from "../../../messages/full-messages";
import { useTopic } from "../../../state/use-topic";

interface CommitOutputProps {
  readonly projectId: ProjectId;
  readonly isShown: boolean;
}

const shownChars = 8_000;
const none: TerminalOutput = { from: 0, text: "" };

export function CommitOutput({ projectId, isShown }: CommitOutputProps) {
  const { commit: text } = useFullMessages();
  const [output, setOutput] = useState(none);
  useTopic(
    "source_output",
    projectId,
    useCallback((push: PushOf<"source_output"> | null) => {
      if (push === null) return setOutput(none);
      setOutput((before) =>
        push.from === before.from + before.text.length ? joinOutput(before, push, shownChars) : push,
      );
    }, []),
  );
  if (!isShown || output.text === "") return null;
  return (
    <pre
      tabIndex={0}
      aria-label={text.output}
      className="max-h-48 overflow-auto rounded-control border border-line bg-canvas p-2 font-mono text-tiny whitespace-pre-wrap [overflow-wrap:anywhere]"
    >
      {output.text.slice(-shownChars)}
    </pre>
  );
}
