"use client";
/** Shows the next step below a command that the sandbox stopped, or that was refused by name. */
import type { CallView } from "@/lib/view/view";
import type { OwnRun } from "./own-command";
import { OwnRunButton } from "./own-run-button";
import { SandboxFailureNote } from "../sandbox/sandbox-failure-note";

interface OwnRunNoteProps {
  readonly call: CallView;
  /** Absent = not offered. */
  readonly ownRun?: OwnRun;
}

export function OwnRunNote({ call, ownRun }: OwnRunNoteProps) {
  if (call.facts.sandboxFailure !== undefined) return <SandboxFailureNote {...{ call, ownRun }} />;
  return (
    <div className="mb-1 ml-6 empty:hidden">
      {ownRun !== undefined && <OwnRunButton {...{ call, ownRun }} cause="name" />}
    </div>
  );
}
