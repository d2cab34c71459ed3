"use client";
/** The input of a call of a tool that is not built in, what takes its effect back, and the files of its result. */
import type { Json } from "@/lib/events/content";
import type { CallView } from "@/lib/view/view";
import { InputFields } from "./input-fields";
import { ResultFiles } from "./result-files";
import { memoryUndo, UndoMemory } from "./undo-memory";

export interface CallInputProps {
  readonly input: Json;
  readonly call: CallView;
}

export function CallInput({ input, call }: CallInputProps) {
  const undo = call.state === "ok" ? memoryUndo(call.facts) : null;
  return (
    <>
      <InputFields input={input} tool={call.name} className="border-b border-line" />
      {undo !== null && <UndoMemory {...undo} />}
      {call.facts.files !== undefined && <ResultFiles callId={call.callId} files={call.facts.files} />}
    </>
  );
}
