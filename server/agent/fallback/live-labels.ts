/** Line labels (Thought, Action, Final Answer) in an answer that is still streaming. */
import type { LiveContext, LiveForm } from "./live-forms";
import { plainName } from "./source";

const bold = String.raw`(?:[*_#]{1,4}[ \t]{0,4})?`;
const colon = String.raw`[*_]{0,2}[ \t]{0,4}[:：][*_]{0,2}[ \t]*`;
const actionLabel = new RegExp(
  `^${bold}(?:Action(?:[ _]?\\d{1,3})?|✿FUNCTION✿|行动|动作|Tool Call|Tool|操作|工具)${colon}`,
  "i",
);
const thoughtLabel = new RegExp(`^${bold}(?:Thought|Thinking|思考|想法)(?:[ _]?\\d{1,3})?${colon}`, "i");
const answerLabel = new RegExp(`^${bold}(?:Final Answer|最终答案|最终回答)${colon}`, "i");
/** Ends thinking: the label of an action or of the final answer. */
const nextLabel = new RegExp(
  `(?=\\n[ \\t]{0,8}${bold}(?:Action(?:[ _]?\\d{1,3})?|Final Answer|✿FUNCTION✿|行动|动作|最终答案|最终回答)[*_]{0,2}[ \\t]{0,4}[:：])`,
  "i",
);
const labels = [
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
const growingLabel = /^[*_#]{0,4}[ \t]{0,4}([A-Za-z\d✿ _行动作思考想法操工具最终答案回]{0,16})[*_]{0,2}[ \t]{0,4}$/;

function startsLabel(rest: string): boolean {
  const word = growingLabel.exec(rest)?.[1]?.toLowerCase();
  if (word === undefined) return false;
  const plain = word.replace(/[*_ \t]+$/, "");
  return labels.some((label) => label.startsWith(plain)) || /^(?:action|thought)[ _]?\d{0,3}$/.test(plain);
}

/** Decides whether the line of an action names a tool; null = undecided. */
function actionForm(line: string, { known }: LiveContext): LiveForm | null {
  if (/^\s*(?:```|[{[])/.test(line)) return { kind: "call", strength: "react" };
  if (/^\s*`{0,2}$/.test(line)) return null;
  const bare = line.replace(/^[ \t`"'*]*/, "");
  const found = /^([\w.:/-]+)[ \t`"'*_]*(\n|[([{]|[^\w\s])?/.exec(bare.trimStart());
  if (bare.trim() === "" || (found !== null && found[0].length === bare.trimStart().length && found[2] === undefined))
    return null;
  return found !== null && known(plainName(found[1] ?? "")) ? { kind: "call", strength: "react" } : { kind: "text" };
}

/** Classifies the label at the start of a line; `wait` = possibly an incomplete label, null = no label. */
export function labelsForm(rest: string, context: LiveContext): LiveForm | null {
  const action = actionLabel.exec(rest);
  if (action !== null) return actionForm(rest.slice(action[0].length), context) ?? { kind: "wait" };
  const thought = thoughtLabel.exec(rest);
  if (thought !== null) {
    if (!context.react && !context.opening) return { kind: "hold" };
    return { kind: "thinking", skip: thought[0].length, until: nextLabel, label: true };
  }
  const answer = context.react || context.framed ? answerLabel.exec(rest) : null;
  if (answer !== null) return { kind: "answer", skip: answer[0].length };
  return startsLabel(rest) ? { kind: "wait" } : null;
}
