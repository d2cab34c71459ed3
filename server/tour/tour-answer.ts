/**
 * Chooses the next answer of the tour by the conversation alone. It reacts to what the calls really returned, so the
 * tour has no state: undo, a reload and a changed file need no handling of their own. Pure.
 */
import type { Json } from "@/lib/events/content";
import { splitMessageElements } from "@/server/agent/context/message-elements";
import type { ModelMessage } from "@/server/providers/provider";
import { isSampleCode, sampleFix, sampleTestCommand } from "./sample-project";
import { type TourTexts, tourTexts } from "./tour-texts";

export interface TourAnswer {
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: Json }[];
}

export type TourStep = "read" | "test" | "edit" | "retest";

const stepCalls: Readonly<Record<TourStep, TourAnswer["calls"]>> = {
  read: ["README.md", "cart.js", "cart.test.js"].map((path) => ({ name: "read", input: { path } })),
  test: [{ name: "bash", input: { command: sampleTestCommand } }],
  edit: [{ name: "edit", input: sampleFix }],
  retest: [{ name: "bash", input: { command: sampleTestCommand } }],
};

type Reply = keyof TourTexts["replies"];

interface Progress {
  /** null = not begun, or over. */
  readonly next: TourStep | null;
  /** Reply that the last message calls for; null = the next step. */
  readonly reply: Reply | null;
  /** The message whose language the answer has. */
  readonly languageOf: string;
}

const start: Progress = { next: null, reply: "other", languageOf: "" };

export function tourAnswer(messages: readonly ModelMessage[]): TourAnswer {
  const { next, reply, languageOf } = messages.reduce(advance, start);
  const { steps, replies } = /\p{Script=Han}/u.test(languageOf) ? tourTexts.chinese : tourTexts.english;
  if (next === null || (reply !== null && reply !== "message"))
    return { thinking: "", text: replies[reply ?? "other"], calls: [] };
  const calls = stepCalls[next];
  if (reply === null) return { ...steps[next], calls };
  // A message of the user does not end the tour.
  return { thinking: "", text: `${replies.message}\n\n${steps[next].text}`, calls };
}

/** The question that the page offers, in both languages. */
const isTourQuestion = (text: string): boolean =>
  /\btests?\b.*\bfix|\bfix.*\btests?\b|测试.*修复|修复.*测试/is.test(text);

/** Whether the user wrote what the tour suggests after a denied or failed call. */
const isGoOn = (text: string): boolean => /\bgo on\b|继续/i.test(text);

/** Returns the text that the user typed, without the context that is sent with it. */
const typedText = (text: string): string =>
  splitMessageElements(text)
    .flatMap((element) => (element.kind === "text" ? [element.text] : []))
    .join("\n");

function advance(progress: Progress, message: ModelMessage): Progress {
  if (message.role === "tool") return progress.next === null ? progress : advanceByResult(progress, message);
  const typed = message.role === "user" ? typedText(message.text) : "";
  if (typed === "") return progress;
  if (isTourQuestion(typed)) return { next: "read", reply: null, languageOf: typed };
  if (progress.next !== null && isGoOn(typed)) return { ...progress, reply: null };
  // A queued message follows the denial that it was written before.
  if (progress.next !== null) return { ...progress, reply: progress.reply === "denied" ? "denied" : "message" };
  return { ...progress, reply: "other", languageOf: typed };
}

function advanceByResult(
  { next, reply, languageOf }: Progress,
  { name, text }: Extract<ModelMessage, { role: "tool" }>,
): Progress {
  const at = (step: TourStep | null, answer: Reply | null): Progress => ({ next: step, reply: answer, languageOf });
  if (/^The user denied this call\b/.test(text)) return at(next, "denied");
  if (name === "read" && next === "read") return isSampleCode(text) ? at("test", null) : at("read", "notSample");
  if (name === "edit") return text.startsWith("Edited ") ? at("retest", null) : at(next, "failed");
  if (name !== "bash") return at(next, reply);
  const exit = /^\[exit code (\d+)\b/m.exec(text)?.[1];
  if (exit === undefined) return at(next, "failed");
  if (exit === "0") return at(null, next === "retest" ? "fixed" : "nothingToFix");
  return next === "test" ? at("edit", null) : at(null, "stillFails");
}
