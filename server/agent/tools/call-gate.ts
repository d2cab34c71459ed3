/** The gates of extensions in the pipeline of a call: what they are asked, and what their answer makes of a decision. */
import type { Json } from "@/lib/events/content";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { GateNote, GateVerdict } from "@/lib/permissions/gate";
import type { Decision, Mode } from "@/lib/permissions/policy";
import { escapeElements } from "@/server/tools/toolbox/foreign-text";

export interface GateCall {
  readonly projectId: ProjectId;
  readonly sessionId: SessionId;
  readonly mode: Mode;
  /** As the model knows it: a tool of the toolbox by its own name. */
  readonly tool: string;
  readonly input: Json;
}

/** Asks the gates of all extensions. Never rejects but for the signal: a gate that fails asks. */
export type AskGates = (call: GateCall, signal: AbortSignal) => Promise<GateVerdict>;

export const passGates: AskGates = () => Promise.resolve({ kind: "pass" });

const endSentence = (text: string): string => (/[.!?。！？…]$/.test(text.trimEnd()) ? text : `${text.trimEnd()}.`);

type Undenied = Exclude<Decision, { readonly kind: "refuse" }>;

/** Decision after the verdict of a gate; `text` is for the model. */
export type GatedDecision =
  | { readonly kind: "open"; readonly decision: Undenied; readonly note?: GateNote }
  | { readonly kind: "denied"; readonly decision: Extract<Decision, { kind: "refuse" }>; readonly text: string };

export function applyVerdict(decision: Undenied, verdict: GateVerdict): GatedDecision {
  switch (verdict.kind) {
    case "pass":
      return { kind: "open", decision };
    case "ask":
      // Neither a rule nor a mode answers for a gate.
      return { kind: "open", decision: { kind: "ask", reason: "gate", options: ["once", "deny"] }, note: verdict.note };
    case "deny": {
      const { gate, reason } = verdict.note;
      const cause = reason === "" ? "." : `: ${escapeElements(endSentence(reason))}`;
      return {
        kind: "denied",
        decision: { kind: "refuse", reason: "gate", code: "blocked", detail: gate, words: reason },
        text: `Refused: the gate of the extension ${gate} denies this call${cause} Do not look for a way around it; go on without this step or ask the user.`,
      };
    }
  }
}
