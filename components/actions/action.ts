/** Data types of the actions. */
import type { SessionId } from "@/lib/events/id";
import type { Settings } from "@/lib/settings/settings";
import type { Messages } from "../messages/messages";
import type { AppClient } from "../state/client";

/** State and functions available to an action. */
export interface ActionContext {
  readonly client: AppClient;
  readonly navigate: (path: string) => void;
  readonly sessionId: SessionId | null;
  readonly isRunning: boolean;
  /** An approval is pending in the visible session. */
  readonly isWaiting: boolean;
  readonly hasSession: boolean;
  readonly removeSession: () => void;
  /** Returns from a page (settings, history) to the workbench; null = the workbench is visible. */
  readonly leavePage: (() => void) | null;
  readonly setTheme: (theme: Settings["theme"]) => void;
}

export type ActionGroup = "sessions" | "view" | "files" | "settings";

/** Command form of an action in the message field: `/name`, or `/name argument`. */
export interface SlashForm {
  /** Unique among all actions. */
  readonly names: readonly string[];
  /** Allowed argument: one of these words, or a text of this kind. Absent = nothing may follow the name. */
  readonly argument?: readonly string[] | keyof Messages["composer"]["slash"]["arguments"];
}

export interface Action {
  readonly id: keyof Messages["actions"]["names"];
  readonly group: ActionGroup;
  /** Default shortcut in the format of keys.ts; keymap.ts returns the one in force. Also active while a text field has the focus, unless it is a character without modifier. */
  readonly keys?: string;
  readonly when?: (context: ActionContext) => boolean;
  /** Absent = the action is not a command of the message field. */
  readonly slash?: SlashForm;
  /** `argument` = the text typed after the slash name; absent = none. */
  readonly perform: (context: ActionContext, argument?: string) => void;
}
