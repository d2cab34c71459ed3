/** Line labels (Thought, Action, Final Answer) in an answer that is still streaming. */
import type { LiveContext, LiveConstruct } from "./live-constructs";
import { normalizeToolName } from "../reader-source";

const boldPattern = String.raw`(?:[*_#]{1,4}[ \t]{0,4})?`;
const colonPattern = String.raw`[*_]{0,2}[ \t]{0,4}[:：][*_]{0,2}[ \t]*`;
const actionLabel = new RegExp(
  `^${boldPattern}(?:Action(?:[ _]?\\d{1,3})?|✿FUNCTION✿|行动|动作|Tool Call|Tool|操作|工具)${colonPattern}`,
  "i",
);
const thoughtLabel = new RegExp(`^${boldPattern}(?:Thought|Thinking|思考|想法)(?:[ _]?\\d{1,3})?${colonPattern}`, "i");
const answerLabel = new RegExp(`^${boldPattern}(?:Final Answer|最终答案|最终回答)${colonPattern}`, "i");
/** Ends thinking: the label of an action or of the final answer. */
const nextLabel = new RegExp(
  `(?=\\n[ \\t]{0,8}${boldPattern}(?:Action(?:[ _]?\\d{1,3})?|Final Answer|✿FUNCTION✿|行动|动作|最终答案|最终回答)[*_]{0,2}[ \\t]{0,4}[:：])`,
  "i",
);
const labelWords = [
  "action",
  "thought",
  "thinking",
  "final answer",
  "tool call",
  "✿function✿",
  "行动",
  "动作",
  "思考",
  "想法",
  "操作",
  "工具",
  "最终答案",
  "最终回答",
];
const undecidedLabel = /^[*_#]{0,4}[ \t]{0,4}([A-Za-z\d✿ _行动作思考想法操工具最终答案回]{0,16})[*_]{0,2}[ \t]{0,4}$/;

function isLabelStart(rest: string): boolean {
  const word = undecidedLabel.exec(rest)?.[1]?.toLowerCase();
  if (word === undefined) return false;
  const plain = word.replace(/[*_ \t]+$/, "");
  return labelWords.some((label) => label.startsWith(plain)) || /^(?:action|thought)[ _]?\d{0,3}$/.test(plain);
}

/** Decides whether the line of an action names a tool; null = undecided. */
function classifyAction(line: string, { offeredOrAlias }: LiveContext): LiveConstruct | null {
  if (/^\s*(?:```|[{[])/.test(line)) return { kind: "call", strength: "react" };
  if (/^\s*`{0,2}$/.test(line)) return null;
  const bare = line.replace(/^[ \t`"'*]*/, "");
  const found = /^([\w.:/-]+)[ \t`"'*_]*(\n|[([{]|[^\w\s])?/.exec(bare.trimStart());
  if (bare.trim() === "" || (found !== null && found[0].length === bare.trimStart().length && found[2] === undefined))
    return null;
  return found !== null && offeredOrAlias(normalizeToolName(found[1] ?? ""))
    ? { kind: "call", strength: "react" }
    : { kind: "text" };
}

/** Classifies the label at the start of a line; `wait` = possibly an incomplete label, null = no label. */
export function classifyLabel(rest: string, context: LiveContext): LiveConstruct | null {
  const action = actionLabel.exec(rest);
  if (action !== null) return classifyAction(rest.slice(action[0].length), context) ?? { kind: "wait" };
  const thought = thoughtLabel.exec(rest);
  if (thought !== null) {
    if (!context.react && !context.isOpening) return { kind: "hold" };
    return { kind: "thinking", skip: thought[0].length, until: nextLabel, label: true };
  }
  const answer = context.react || context.afterLabeledThought ? answerLabel.exec(rest) : null;
  if (answer !== null) return { kind: "answer", skip: answer[0].length };
  return isLabelStart(rest) ? { kind: "wait" } : null;
}
