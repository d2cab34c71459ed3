/** Answers of the server about workflows. */
import type { Hash } from "../events/id";
import type { WorkflowInput, WorkflowPlace, WorkflowProblem, WorkflowStepKind } from "./workflow";

/** A step as it is drawn before it runs. */
export interface WorkflowStepView {
  readonly id: string;
  readonly kind: WorkflowStepKind;
  /** Start of its text. */
  readonly title: string;
  readonly when?: string;
  /** It runs once for each item. */
  readonly repeats?: true;
  readonly retry?: number;
  readonly mayFail?: true;
  /** Steps of the workflow that it runs. */
  readonly steps?: readonly WorkflowStepView[];
}

export interface WorkflowFileView {
  readonly place: WorkflowPlace;
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly inputs: readonly WorkflowInput[];
  readonly steps: readonly WorkflowStepView[];
  /** Empty = it can be run. */
  readonly problems: readonly WorkflowProblem[];
  /** A workflow of the project has the same name and is used instead. */
  readonly isShadowed: boolean;
}

export interface WorkflowsState {
  readonly isTrusted: boolean;
  /** Names of the project's workflows that are not read, since the project is not trusted. */
  readonly untrusted: readonly string[];
  readonly files: readonly WorkflowFileView[];
  /** Folders in which files are looked for. */
  readonly folders: { readonly [K in WorkflowPlace]: string };
}

export interface WorkflowText {
  readonly text: string;
  readonly hash: Hash;
  readonly problems: readonly WorkflowProblem[];
}
