"use client";
/** Callbacks and facts that the conversation's components read from React contexts. A viewer gets `readOnlyActions`. */
import type { RestoreTarget, RunRange } from "../state/workbench/workbench-store";
import { createContext, useContext } from "react";
import type { Block, ImageRef } from "@/lib/events/content";
import type { ApprovalId, BlobId, CallId, SessionId, TrashId } from "@/lib/events/id";
import type { Reference } from "@/lib/protocol/reference-commands";
import type { Connection, ModelServerState, PullState, WindowPlan } from "@/lib/models/models";
import type { ApprovalOption, Mode } from "@/lib/permissions/policy";
import type { Settings } from "@/lib/settings/settings";
import type { ModelState, SessionView } from "@/lib/view/view";
import type { OpenPath } from "../ui/markdown/links";

export interface ApprovalAnswer {
  readonly option: ApprovalOption;
  readonly reason?: string;
  /** The words of the rule as edited by the user, for `always`. */
  readonly rule?: { readonly words: readonly string[]; readonly rest: boolean };
}

/** Control of the run and remedies for errors; null for a viewer. */
export interface RunControls {
  /** Stops the open run or compaction. */
  readonly stop: () => void;
  /** Moves the session's request to the front of the model queue. */
  readonly runFirst: () => void;
  /** Stops the thinking and repeats the request with thinking off. */
  readonly answerNow: () => void;
  /** Terminates the running command of this call; the run continues. */
  readonly endCommand: (callId: CallId) => void;
  /** Replaces the summary of compaction `of` (its seq). False = rejected. */
  readonly editSummary: (compactionSeq: number, summary: string) => Promise<boolean>;
  readonly compact: (focus: string) => Promise<boolean>;
  /** Loads the context windows available to the session's model; null = unknown for this server. */
  readonly loadWindowPlan: () => Promise<WindowPlan | null>;
  /** Sets the session's context window, in tokens. */
  readonly setWindow: (tokens: number) => Promise<boolean>;
  /** Lets calls of the session's model be read from its text, here and in later sessions. */
  readonly readCallsFromText: () => Promise<boolean>;
  readonly pullModel: (model: string) => void;
  readonly cancelPull: (model: string) => void;
  /** Probes for the model server again. */
  readonly probeServer: () => Promise<boolean>;
  readonly startServer: () => Promise<boolean>;
  /** Sends a message that asks the model to continue: after an error that Continue does not accept. */
  readonly sendContinue: () => void;
  /** Switches from Plan to this mode and sends a request to carry out the proposed plan. */
  readonly carryOutPlan: (mode: "ask" | "edits") => void;
  /** Decides about call `index` of the message at seq `messageSeq`, which was not run. False = rejected. */
  readonly decideCall: (messageSeq: number, index: number, run: boolean) => Promise<boolean>;
  /** Allows the network to the sandboxed commands of this session. False = rejected. */
  readonly allowNetwork: () => Promise<boolean>;
  /** Runs a command of the user's own; during a run after it. False = rejected. */
  readonly runCommand: (command: string) => Promise<boolean>;
  /** Focuses the message field. */
  readonly focusComposer: () => void;
}

/** `connection` = id of the connection that serves the model; absent = Ollama. */
export interface ModelTarget {
  readonly model: string;
  readonly connection?: string;
}

/** A message to send again. */
interface ResendMessage {
  readonly text: string;
  readonly images: readonly ImageRef[];
  readonly references: readonly Reference[];
}

/** Rewind, fork and label operations on the conversation; null for a viewer. */
export interface BranchControls {
  /** Rewinds to `rewindTo` and sends the message. `other` = switches the session to this model. False = rejected. */
  readonly resend: (rewindTo: number, message: ResendMessage, other?: ModelTarget) => Promise<boolean>;
  /** `text` = the rewound message; inserted into the message field if that is empty. */
  readonly rewind: (toSeq: number, text?: string) => void;
  /** Creates a session with the history up to `atSeq` and opens it. */
  readonly fork: (atSeq: number) => void;
  /** Labels the entry `seq`; an empty text deletes the label. */
  readonly setLabel: (seq: number, text: string) => void;
}

/** All functions may be called repeatedly and do not throw; false or null = failure, already reported to the user. */
export interface ConversationActions {
  /** False = another answer was recorded first, or sending failed. */
  readonly answerApproval: (approvalId: ApprovalId, answer: ApprovalAnswer) => Promise<boolean>;
  /** Continues the run after a pause or a restart. */
  readonly resume: () => void;
  /** Opens a project file in the editor or reports that it is missing; the line is 1-based. Null = no editor. */
  readonly openPath: OpenPath | null;
  /** Loads the full output of a call that was shortened in transfer. Null = outputs are not shared with the viewer. */
  readonly loadOutput: ((callId: CallId) => Promise<readonly Block[] | null>) | null;
  /** Opens the full output that was cut for the model. Null = unavailable. */
  readonly openOutput: ((callId: CallId) => void) | null;
  /** Restores a deleted file or folder from the file trash. */
  readonly restoreFromTrash: ((trashId: TrashId) => Promise<boolean>) | null;
  /** Shows the changes of the last run or of `earlier`. Absent = unavailable. */
  readonly reviewChanges?: (earlier?: RunRange) => void;
  /** Asks which files to restore to their state at this seq. Absent = unavailable. */
  readonly restoreFiles?: (toSeq: number, options?: Pick<RestoreTarget, "before" | "isRedo">) => void;
  /** Loads a stored image as a data: URL; null = failed. Absent = images are not shown. */
  readonly loadImage?: (blob: BlobId) => Promise<string | null>;
  readonly runControls: RunControls | null;
  readonly branchControls: BranchControls | null;
}

export const readOnlyActions: ConversationActions = {
  answerApproval: () => Promise.resolve(false),
  resume: () => undefined,
  openPath: null,
  loadOutput: () => Promise.resolve(null),
  openOutput: null,
  restoreFromTrash: null,
  runControls: null,
  branchControls: null,
};

/** The value must keep its identity while the session is shown; a new object re-renders every consumer. */
export const ConversationActionsContext = createContext<ConversationActions>(readOnlyActions);
export const useConversationActions = (): ConversationActions => useContext(ConversationActionsContext);

/** State of the session and its model server that determines the actions of the cards. */
export interface ConversationFacts {
  /** Null for a viewer. */
  readonly sessionId: SessionId | null;
  /** No run is open. */
  readonly isIdle: boolean;
  readonly mode: Mode;
  readonly model: ModelState | null;
  /** The model is served by Ollama, not by a connection. */
  readonly isOllama: boolean;
  readonly server: ModelServerState | undefined;
  readonly connections: readonly Connection[];
  readonly pulls: readonly PullState[];
  /** The user's labels, by seq. */
  readonly labels: SessionView["labels"];
  readonly sendKey: Settings["sendKey"];
  /** The settings request the sandbox for commands. */
  readonly wantsSandbox: boolean;
  /** The user allowed the network to the sandboxed commands of this session. */
  readonly isNetworkAllowed: boolean;
}

export const defaultFacts: ConversationFacts = {
  sessionId: null,
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
  isNetworkAllowed: false,
};

export const ConversationFactsContext = createContext<ConversationFacts>(defaultFacts);
export const useConversationFacts = (): ConversationFacts => useContext(ConversationFactsContext);
