"use client";
/** What the conversation asks of the rest of the product. components/shell connects it to the stores; a viewer gives `readOnlyActions`. */
import { createContext, useContext } from "react";
import type { Block } from "@/lib/content";
import type { ApprovalId, CallId, TrashId } from "@/lib/id";
import type { ApprovalOption } from "@/lib/policy";

export interface ApprovalAnswer {
  readonly option: ApprovalOption;
  readonly reason?: string;
  /** The words of the rule as the user left them, for `always`. */
  readonly rule?: { readonly words: readonly string[]; readonly rest: boolean };
}

/** All of them may be called again; none throws: a false or null tells that it did not work, and the caller has told the user why. */
export interface ConversationActions {
  /** False = it was not this answer that counted, or it could not be sent. */
  readonly answer: (approvalId: ApprovalId, answer: ApprovalAnswer) => Promise<boolean>;
  /** Continue after a pause or a restart. */
  readonly resume: () => void;
  /** Opens a file of the project in the editor; the line is 1-based. Null = there is none here. */
  readonly openPath: ((path: string, line: number | undefined) => void) | null;
  /** The output of a call that was shortened for the way here. */
  readonly loadOutput: (callId: CallId) => Promise<readonly Block[] | null>;
  /** Shows all of an output that was cut for the model. Null = not here. */
  readonly openOutput: ((callId: CallId) => void) | null;
  /** Brings a deleted file or folder back. */
  readonly restore: ((trashId: TrashId) => Promise<boolean>) | null;
}

export const readOnlyActions: ConversationActions = {
  answer: () => Promise.resolve(false),
  resume: () => undefined,
  openPath: null,
  loadOutput: () => Promise.resolve(null),
  openOutput: null,
  restore: null,
};

/** Its value should stay the same object for as long as the session is shown. */
export const ConversationActionsContext = createContext<ConversationActions>(readOnlyActions);
export const useConversationActions = (): ConversationActions => useContext(ConversationActionsContext);
