"use client";
/** Asks whether the hooks of the repository run in a commit. */
import type { CommitFacts } from "@/lib/workspace/source-control";
import { useFullMessages } from "../../../messages/full-messages";
import { Button } from "../../../ui/controls/button";

interface HookQuestionProps {
  readonly hooks: CommitFacts["hooks"];
  readonly onAnswer: (answer: "run" | "skip" | null) => void;
}

export function HookQuestion({ hooks, onAnswer }: HookQuestionProps) {
  const { commit: text, common } = useFullMessages();
  return (
    <div role="alert" className="grid gap-2 rounded-control bg-ask-soft px-2 py-1.5 text-small">
      <p className="text-pretty">{text.hooks(hooks.map(({ name }) => name).join(", "))}</p>
      <div className="flex flex-wrap gap-1">
        <Button size="small" onClick={() => onAnswer("run")}>
          {text.runHooks}
        </Button>
        <Button size="small" onClick={() => onAnswer("skip")}>
          {text.skipHooks}
        </Button>
        <Button size="small" look="quiet" onClick={() => onAnswer(null)}>
          {common.cancel}
        </Button>
      </div>
    </div>
  );
}
