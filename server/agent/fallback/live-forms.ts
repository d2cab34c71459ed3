/** What an answer that is still being written may be at a place: a call, a thought, text, or not yet known. Used by live. */
import { plainName } from "./source";

/** No start of a call is longer before it shows itself as one; what is held back for longer is text. UTF-16 units. */
export const heldMaxChars = 96;

/** `until` = where the state ends; undefined = with the answer. `json` = with its last bracket. */
export type LiveForm =
  | { readonly kind: "call"; readonly until?: RegExp; readonly json?: boolean }
  | { readonly kind: "thinking"; readonly skip: number; readonly until: RegExp }
  | { readonly kind: "label"; readonly skip: number }
  | { readonly kind: "code" }
  | { readonly kind: "text" }
  | { readonly kind: "wait" };

export interface LiveContext {
  readonly offered: (name: string) => boolean;
  /** Offered, or familiar. */
  readonly known: (name: string) => boolean;
  /** Nothing but white space stands before it on its line. */
  readonly lineStart: boolean;
  readonly react: boolean;
}

const markerTag =
  /^<(?:[a-zA-Z]+:|｜DSML｜)?(?:tool_calls?|toolcalls?|function_calls?|functioncalls?|tool_use|tool_code|use_tool)>/i;
const namedTag =
  /^<(?:[a-zA-Z]+:|｜DSML｜)?(?:function|invoke|tool|tool_call)(?:\s*=\s*|\s+name\s*=\s*)["']?([\w.:-]+)["'>\s{]/;
const token =
  /^(?:\[TOOL_CALLS?\]|\[FUNCTION_CALLS?\]|<\|python_(?:tag|start)\|>|<\|?tool_call_start\|?>|<\|tool_calls?\|?>|<\|START_ACTION\|>|<\|action_start\|>|<[|｜]tool[▁_]calls?[▁_](?:section[▁_])?begin[|｜]>|<start_function_call>|<\|channel\|>commentary[^<]*to=|to=functions\.)/;
const tagEnd =
  /<\/(?:[a-zA-Z]+:|｜DSML｜)?(?:tool_calls?|toolcalls?|function_calls?|functioncalls?|function|invoke|tool|tool_use|tool_code|use_tool)>\s*/i;
const tokenEnd =
  /(?:\[\/TOOL_CALLS?\]|<\|?tool_call_end\|?>|<\|\/tool_calls?\|>|<\|END_ACTION\|>|<\|action_end\|>|<[|｜]tool[▁_]calls?[▁_](?:section[▁_])?end[|｜]>|<\|call\|>)\s*/;
const nameKeys = "name|tool_name|tool|function|function_name|action|recipient_name";
const jsonHead = new RegExp(
  `^[{[]\\s*\\{?\\s*["'“]?(?:(${nameKeys})|tool_calls|function_call|arguments|parameters)["'”]?\\s*:\\s*(?:["'“]([\\w.:-]+)["'”]|([[{]))`,
);
const pythonHead = /^\[\s*([A-Za-z_][\w.]*)\(/;
const think = /^<((?:\w{1,12}:)?(?:think|thinking|thought|reasoning))>/i;
const fenceHead = /^```[ \t]*([\w+#.-]*)[^\n`]*\n/;
const callFences = /^(?:|json|json5|jsonc|xml|tool_code|tool_calls?|tool_use|tools?|function|function_call|action)$/;
const actionLabel = /^(?:[*_#]{1,4}[ \t]?)?(?:Action|行动|动作)[*_]{0,2}[ \t]?[:：]/i;
const thoughtLabel = /^(?:[*_#]{1,4}[ \t]?)?(?:Thought|思考)[*_]{0,2}[ \t]?[:：][ \t]*/i;
const answerLabel = /^(?:[*_#]{1,4}[ \t]?)?(?:Final Answer|最终答案|最终回答)[*_]{0,2}[ \t]?[:：][ \t]*/i;
const nextLabel =
  /(?=\n[ \t]{0,8}(?:[*_#]{1,4}[ \t]?)?(?:Action|Final Answer|行动|动作|最终答案|最终回答)[*_]{0,2}[ \t]?[:：])/i;

/** It has not yet shown what it is. */
const growing: Readonly<Record<string, RegExp>> = {
  "<": /^<[|｜]?[\w:=/ .'"▁|｜-]*$/,
  "[": /^\[[\s{\w"'“:.-]*$/,
  "{": /^\{[\s\w"'“:.[-]*$/,
  "`": /^`{1,2}$|^```[^\n`]*$|^```[^\n`]*\n\s*(?:[[{<][\s{["'“\w:=|.-]*)?$/,
  t: /^t(?:o(?:=(?:f[a-z]*)?)?)?$/,
};
const growingLabel =
  /^[*_#]{0,4}[ \t]?(?:[A-Za-z]{0,8}(?: [A-Za-z]{0,6})?|[行动作思考最终答案回]{0,4})[*_]{0,2}[ \t]?$/;
const labels = ["action", "thought", "final answer", "行动", "动作", "思考", "最终答案", "最终回答"];

function jsonForm(rest: string, { offered, known }: LiveContext): LiveForm | null {
  const python = pythonHead.exec(rest);
  if (python !== null) return offered(plainName(python[1] ?? "")) ? { kind: "call", json: true } : { kind: "text" };
  const head = jsonHead.exec(rest);
  if (head === null) return null;
  const [, key, name] = head;
  const meant = key === undefined || name === undefined || known(plainName(name));
  return meant ? { kind: "call", json: true } : { kind: "text" };
}

function fenceForm(rest: string, context: LiveContext): LiveForm | null {
  const head = fenceHead.exec(rest);
  if (head === null) return null;
  if (!callFences.test(head[1] ?? "")) return { kind: "code" };
  const body = rest.slice(head[0].length).trimStart();
  if (/^tool|^function/.test(head[1] ?? "")) return { kind: "call", until: /\n```[ \t]*(?=\n|$)/ };
  if (body === "") return rest.length < heldMaxChars ? null : { kind: "code" };
  const inner = tagForm(body, context) ?? jsonForm(body, context);
  return inner?.kind === "call"
    ? { kind: "call", until: /\n```[ \t]*(?=\n|$)/ }
    : inner === null
      ? null
      : { kind: "code" };
}

function tagForm(rest: string, { offered, known }: LiveContext): LiveForm | null {
  if (markerTag.test(rest)) return { kind: "call", until: tagEnd };
  const named = namedTag.exec(rest);
  if (named !== null) return known(plainName(named[1] ?? "")) ? { kind: "call", until: tagEnd } : { kind: "text" };
  const own = /^<([a-z_]\w*)>/.exec(rest)?.[1];
  if (own !== undefined && offered(own)) return { kind: "call", until: new RegExp(`</${own}>`) };
  return token.test(rest) ? { kind: "call", until: tokenEnd } : null;
}

function labelForm(rest: string, { react }: LiveContext): LiveForm | null {
  if (actionLabel.test(rest)) return { kind: "call" };
  if (!react) return null;
  const thought = thoughtLabel.exec(rest);
  if (thought !== null) return { kind: "thinking", skip: thought[0].length, until: nextLabel };
  const answer = answerLabel.exec(rest);
  return answer === null ? null : { kind: "label", skip: answer[0].length };
}

const startsLabel = (rest: string): boolean => {
  const word = rest.replace(/^[*_#]{0,4}[ \t]?/, "").toLowerCase();
  return growingLabel.test(rest) && labels.some((label) => label.startsWith(word.replace(/[*_ \t]+$/, "")));
};

/** What stands at the start of `rest`, of which more may come. */
export function liveForm(rest: string, context: LiveContext): LiveForm {
  const here = rest[0] ?? "";
  const thought = context.lineStart ? think.exec(rest) : null;
  if (thought !== null)
    return { kind: "thinking", skip: thought[0].length, until: new RegExp(`</${thought[1]}>\\s*`, "i") };
  const found =
    here === "`"
      ? fenceForm(rest, context)
      : here === "{" || (here === "[" && !token.test(rest))
        ? jsonForm(rest, context)
        : (tagForm(rest, context) ?? (context.lineStart ? labelForm(rest, context) : null));
  if (found !== null) return found;
  const more = growing[here]?.test(rest) ?? (context.lineStart && startsLabel(rest));
  return more && rest.length < heldMaxChars ? { kind: "wait" } : { kind: "text" };
}
