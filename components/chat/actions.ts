"use client";
/** What the conversation asks of the rest of the product. components/shell connects it to the stores; a viewer gives `readOnlyActions`. */
import type { LineSpan, RestoreWish, RunRange } from "../state/workbench-store";
import { createContext, useContext } from "react";
import type { Block, ImageRef } from "@/lib/content";
import type { ApprovalId, BlobId, CallId, TrashId } from "@/lib/id";
import type { Connection, ModelServerState, PullState, WindowPlan } from "@/lib/models";
import type { ApprovalOption, Mode } from "@/lib/policy";
import type { Settings } from "@/lib/settings";
import type { ModelState, SessionView } from "@/lib/view";

export interface ApprovalAnswer {
  readonly option: ApprovalOption;
  readonly reason?: string;
  /** The words of the rule as the user left them, for `always`. */
  readonly rule?: { readonly words: readonly string[]; readonly rest: boolean };
}

/** What the user may do about the run and about what went wrong; null for a viewer. */
export interface Driving {
  /** Ends what goes on: a run, or a compaction. */
  readonly stop: () => void;
  /** The session's request goes before the others that wait. */
  readonly runFirst: () => void;
  /** Ends the thinking and asks again without. */
  readonly answerNow: () => void;
  /** Ends the running command of this call; the run goes on. */
  readonly endCommand: (callId: CallId) => void;
  /** False = it was not taken. */
  readonly editSummary: (of: number, summary: string) => Promise<boolean>;
  readonly compact: (focus: string) => Promise<boolean>;
  /** The windows the session's model may have here; null = not known of this server. */
  readonly loadWindow: () => Promise<WindowPlan | null>;
  /** The session gets this window, tokens. */
  readonly setWindow: (tokens: number) => Promise<boolean>;
  readonly pull: (model: string) => void;
  readonly cancelPull: (model: string) => void;
  /** Looks for the model server again. */
  readonly findServer: () => Promise<boolean>;
  readonly startServer: () => Promise<boolean>;
  /** Asks the model to go on where it stopped: after an error, which Continue does not take. */
  readonly goOn: () => void;
  /** Leaves Plan for this mode and has the model carry out the plan it proposed. */
  readonly carryOut: (mode: "ask" | "edits") => void;
  /** Brings the user to the message field. */
  readonly steer: () => void;
}

/** `connection` = the id of where it answers; absent = Ollama. */
export interface OtherModel {
  readonly model: string;
  readonly connection?: string;
}

/** A message that is sent again. */
export interface Resent {
  readonly text: string;
  readonly images: readonly ImageRef[];
}

/** Another way from a place of the conversation; null for a viewer. */
export interface Branching {
  /** The message in place of what came after this border. `other` = of this model from now on. False = it was not taken. */
  readonly resend: (rewindTo: number, message: Resent, other?: OtherModel) => Promise<boolean>;
  /** `text` = what was said there: offered to a message field that is empty. */
  readonly rewind: (toSeq: number, text?: string) => void;
  /** Makes a session that begins as this one was at that border, and shows it. */
  readonly fork: (atSeq: number) => void;
  /** An empty name takes it away. */
  readonly name: (seq: number, text: string) => void;
}

export type OpenPath = (path: string, line: number | undefined, span?: LineSpan) => void;

/** All of them may be called again; none throws: a false or null tells that it did not work, and the caller has told the user why. */
export interface ConversationActions {
  /** False = it was not this answer that counted, or it could not be sent. */
  readonly answer: (approvalId: ApprovalId, answer: ApprovalAnswer) => Promise<boolean>;
  /** Continue after a pause or a restart. */
  readonly resume: () => void;
  /** Opens a file of the project in the editor, or says that there is none; the line is 1-based. Null = there is no editor here. */
  readonly openPath: OpenPath | null;
  /** The output of a call that was shortened for the way here. Null = what calls printed is not shared with this viewer. */
  readonly loadOutput: ((callId: CallId) => Promise<readonly Block[] | null>) | null;
  /** Shows all of an output that was cut for the model. Null = not here. */
  readonly openOutput: ((callId: CallId) => void) | null;
  /** Brings a deleted file or folder back. */
  readonly restore: ((trashId: TrashId) => Promise<boolean>) | null;
  /** Shows what the last run changed, or an earlier one. Absent = not here. */
  readonly review?: (earlier?: RunRange) => void;
  /** Asks how far to put files back as they were at this place of the log. Absent = not here. */
  readonly restoreFiles?: (toSeq: number, before?: RestoreWish["before"]) => void;
  /** A stored image as a data: address; null = it could not be loaded. Absent = images are not shown here. */
  readonly loadImage?: (blob: BlobId) => Promise<string | null>;
  readonly drive: Driving | null;
  readonly branch: Branching | null;
}

export const readOnlyActions: ConversationActions = {
  answer: () => Promise.resolve(false),
  resume: () => undefined,
  openPath: null,
  loadOutput: () => Promise.resolve(null),
  openOutput: null,
  restore: null,
  drive: null,
  branch: null,
};

/** Its value should stay the same object for as long as the session is shown. */
export const ConversationActionsContext = createContext<ConversationActions>(readOnlyActions);
export const useConversationActions = (): ConversationActions => useContext(ConversationActionsContext);

/** What cards have to know of the session and its model server to offer the right thing. */
export interface ConversationFacts {
  /** No run is open. */
  readonly isIdle: boolean;
  readonly mode: Mode;
  readonly model: ModelState | null;
  /** The model answers from the Ollama server, not from a connection. */
  readonly isOllama: boolean;
  readonly server: ModelServerState | undefined;
  readonly connections: readonly Connection[];
  readonly pulls: readonly PullState[];
  /** The user's names of places, by seq. */
  readonly labels: SessionView["labels"];
  readonly sendKey: Settings["sendKey"];
  /** The settings ask for commands in the sandbox. */
  readonly wantsSandbox: boolean;
}

export const noFacts: ConversationFacts = {
  isIdle: true,
  mode: "ask",
  model: null,
  isOllama: true,
  server: undefined,
  connections: [],
  pulls: [],
  labels: {},
  sendKey: "enter",
  wantsSandbox: false,
};

export const ConversationFactsContext = createContext<ConversationFacts>(noFacts);
export const useConversationFacts = (): ConversationFacts => useContext(ConversationFactsContext);
