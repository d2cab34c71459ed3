/** Workflows as data: inputs, and steps that run in order in one session. Plain types and limits. */
import type { Json } from "../events/content";

export const workflowLimits = {
  /** Size of a file, bytes. */
  bytes: 65_536,
  files: 100,
  /** Steps of one file. */
  steps: 50,
  /** Steps of one run, each item and each nested step counted. */
  runSteps: 200,
  /** Items of `for_each`. */
  items: 50,
  /** Workflows inside each other, the outermost counted. */
  depth: 4,
  retries: 5,
  timeoutSeconds: 86_400,
  /** Stored output of a step, characters. */
  outputChars: 16_000,
  /** Text of a prompt or a command, and the result of a step's expressions, characters. */
  textChars: 30_000,
} as const;

const workflowNamePattern = /^[a-z][a-z0-9_-]{0,39}$/;

/** The name of a workflow is that of its file. */
export const isWorkflowName = (name: string): boolean => workflowNamePattern.test(name);

export const workflowStepKinds = ["prompt", "run", "tool", "ask", "workflow"] as const;
export type WorkflowStepKind = (typeof workflowStepKinds)[number];

export const workflowInputTypes = ["text", "number", "boolean", "choice", "file"] as const;
type WorkflowInputType = (typeof workflowInputTypes)[number];

export interface WorkflowInput {
  readonly name: string;
  readonly type: WorkflowInputType;
  readonly description: string;
  /** Absent = it has to be given. */
  readonly default?: string | number | boolean;
  /** Values of an input of the type `choice`. */
  readonly options: readonly string[];
}

export interface WorkflowStep {
  readonly id: string;
  readonly kind: WorkflowStepKind;
  /** The prompt, the command, the name of the tool, the question, or the name of the workflow. */
  readonly text: string;
  /** Arguments of a tool, inputs of a workflow. */
  readonly with: { readonly [name: string]: Json };
  /** Variables of a command. */
  readonly env: { readonly [name: string]: string };
  /** Answers to choose from; empty = any text. */
  readonly options: readonly string[];
  /** Expression; absent = always. */
  readonly when?: string;
  /** Expression of a list, or the list. */
  readonly forEach?: string | readonly string[];
  /** Attempts after a failed one. */
  readonly retry: number;
  readonly timeoutSeconds?: number;
  /** A failure does not end the workflow. */
  readonly mayFail: boolean;
  /** Name -> expression. */
  readonly outputs: { readonly [name: string]: string };
}

export interface Workflow {
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly WorkflowInput[];
  readonly steps: readonly WorkflowStep[];
  /** Name -> expression: what a step that runs this workflow returns. */
  readonly outputs: { readonly [name: string]: string };
}

/** project = `.gopi/workflows` of a trusted project; home = `workflows` of this program's home. */
export type WorkflowPlace = "project" | "home";

type WorkflowProblemKind =
  | "yaml"
  | "too_large"
  | "bad_name"
  | "missing"
  | "unknown_key"
  | "wrong_value"
  | "no_kind"
  | "several_kinds"
  | "repeated_id"
  | "bad_expression"
  | "unknown_name"
  | "later_step"
  | "expression_in_run"
  | "runs_commands"
  | "unknown_workflow"
  | "cycle"
  | "too_deep"
  | "too_many";

/** Problem in the text of a workflow. */
export interface WorkflowProblem {
  readonly kind: WorkflowProblemKind;
  /** From 1. */
  readonly line: number;
  /** A key, a name, or a part of an expression. */
  readonly detail: string;
}
