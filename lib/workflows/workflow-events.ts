/** The events of a workflow in the log of its session. Plain types. */
import type { AgentError } from "../events/error";
import type { WorkflowValues } from "./input-values";
import type { WorkflowPlace, WorkflowStepKind } from "./workflow";
import type { WorkflowStepView } from "./workflow-views";

/** failed = with an error, or a command that did not exit with 0; stopped = by the user; skipped = `when`, or by the user. */
export type WorkflowStepOutcome = "ok" | "failed" | "stopped" | "skipped";

/** interrupted = the program was ended; the steps that had no end are unknown. */
export type WorkflowEnd = "done" | "failed" | "stopped" | "interrupted";

export type WorkflowEvent =
  | {
      readonly type: "workflow_start";
      readonly name: string;
      readonly place: WorkflowPlace;
      /** Hash of the file. */
      readonly hash: string;
      readonly inputs: WorkflowValues;
      readonly steps: readonly WorkflowStepView[];
      /** It continues: these steps, with those below them, run again. */
      readonly again?: readonly string[];
      /** It ends after this step. */
      readonly only?: string;
    }
  | {
      readonly type: "step_start";
      /** Ids from the outermost step on, `deploy/build`; with the index of its item, `test[2]`. */
      readonly step: string;
      readonly kind: WorkflowStepKind;
      readonly title: string;
      /** From 1. */
      readonly attempt: number;
      /** Only of an `ask`. */
      readonly question?: { readonly text: string; readonly options: readonly string[] };
    }
  | {
      readonly type: "step_end";
      readonly step: string;
      readonly outcome: WorkflowStepOutcome;
      readonly output: string;
      readonly outputs: { readonly [name: string]: string };
      readonly exit?: number;
      /** Tokens that the model wrote. */
      readonly tokens?: number;
      readonly error?: AgentError;
    }
  | { readonly type: "workflow_end"; readonly reason: WorkflowEnd; readonly error?: AgentError };

/** As the view has it: with its place and time, ms epoch. */
export type WorkflowEntry = WorkflowEvent & { readonly seq: number; readonly at: number };
