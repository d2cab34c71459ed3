/** Classifies the text at a position of an answer that is still streaming: a call, thinking, text, or undecided. */
import { classifyLabel } from "./live-labels";
import type { CallConfidence } from "../scan-answer";
import { recipientHead, recipientKinds } from "../grammars/harmony";
import { markedCallEnd, markedCallOpener } from "../grammars/marked-calls";
import { barPrefix, callTagNames, tagPrefix, tagSuffix } from "@/server/tools/written-json/tag-forms";
import { classifyMention, isInSentence, readFenceHead, matchQuotingElement } from "../quoted-spans";
import { matchLengthAt } from "@/server/base/match-at";
import { isAmbiguousAlias, normalizeToolName } from "../reader-source";
import { answerOpener, turnTokenLength } from "../stop-tokens";
import { closesThought, matchThinkingOpener, orphanCloserLength } from "../grammars/thinking";

/** Maximum length at which the start of a call is recognizable; longer undecided text counts as text. UTF-16 units. */
export const heldMaxChars = 96;

export type LiveConstruct =
  /** `until` = its end; undefined = the end of the answer, or the last bracket if `json`. */
  | { readonly kind: "call"; readonly strength: CallConfidence; readonly until?: RegExp; readonly json?: boolean }
  /** `label`: it began with a line label, and the next label ends it. */
  | { readonly kind: "thinking"; readonly skip: number; readonly until: RegExp; readonly label?: boolean }
  /** The final answer of a labeled answer: everything after its label is text. */
  | { readonly kind: "answer"; readonly skip: number }
  /** Text that cannot contain a call. */
  | { readonly kind: "quoted"; readonly until: RegExp }
  /** Text of `length` characters that cannot contain a call. */
  | { readonly kind: "inline"; readonly length: number }
  /** A mark that is not displayed; `continues`: what follows it continues the text before it. */
  | { readonly kind: "skip"; readonly skip: number; readonly continues?: true }
  /** Only the whole answer decides. */
  | { readonly kind: "hold" }
  | { readonly kind: "text" }
  | { readonly kind: "wait" };

export interface LiveContext {
  readonly offered: (name: string) => boolean;
  /** Offered, or an alias. */
  readonly offeredOrAlias: (name: string) => boolean;
  /** Only white space precedes it on its line. */
  readonly lineStart: boolean;
  /** The text before it on its line. */
  readonly line: string;
  /** Only white space precedes it since the preceding answer or thinking. */
  readonly isFirst: boolean;
  /** Only white space precedes it in the answer. */
  readonly isOpening: boolean;
  readonly react: boolean;
  /** Follows thinking that began with a line label. */
  readonly afterLabeledThought: boolean;
  /** Names of the offered tools. */
  readonly toolNames: readonly string[];
}

const markerTag = new RegExp(`^(?:<${tagPrefix}(?:${callTagNames})${tagSuffix}>|<${barPrefix}calls>)`, "i");
const markedCall = new RegExp(`^(?:${markedCallOpener})`);
const markedEnd = new RegExp(`(?:${markedCallEnd})\\s*`);
const namedTag = new RegExp(
  `^<${tagPrefix}(?:function|invoke|tool|tool_call|tool_use|use_tool|call|action|(?<=[|｜‖] ?)r)(?:\\s*=\\s*|:[ \\t]+|\\s+(?:name|function|tool)\\s*=\\s*)["']?([\\w.:/-]+)["'>\\s{]`,
);
const specialToken =
  /^(?:\[TOOL_CALLS?\]|\[FUNCTION_CALLS?\]|\[TOOL_REQUEST\]|functools(?=\[)|<\|python_(?:tag|start)\|>|<\|?tool_call_start\|?>|<\|tool_calls?\|?>|<\|function_calls?\|>|<\|tools_prefix\|>|\[unused11\]|<\|START_ACTION\|>|<\|action_start\|>|<[|｜]tool[▁_]calls?[▁_](?:section[▁_])?begin[|｜]>|<start_function_call>|to=functions\.|(?:<\|im_start\|>assistant)?[ \t]*-> tool\/function_call\s*[[{])/;
const tagEnd = new RegExp(
  `<(?:/(?:${tagPrefix}(?:tool_calls?|toolcalls?|function_calls?|functioncalls?|function|invoke|tool|tool_use|tool_code|use_tool)${tagSuffix}|${barPrefix}calls)|${barPrefix}m)>\\s*`,
  "i",
);
const tokenEnd =
  /(?:\[\/TOOL_CALLS?\]|\[\/FUNCTION_CALLS?\]|\[END_TOOL_REQUEST\]|<\|?tool_call_end\|?>|<\|\/tool_calls?\|>|<\|tools_suffix\|>|\[unused12\]|<end_function_call>|<\|END_ACTION\|>|<\|action_end\|>|<[|｜]tool[▁_]calls?[▁_](?:section[▁_])?end[|｜]>|<\|call\|>)\s*/;
const nameKeys = "name|tool_name|toolName|tool|function|function_name|action|recipient_name";
const jsonHead = new RegExp(
  `^[{[]{1,3}\\s*\\{?\\s*["'“]?(?:(${nameKeys})|tool_calls|toolCalls|tool_uses|function_calls?|functionCall|arguments|parameters)["'”]?\\s*[:：]\\s*(?:["'“]([\\w.:-]+)["'”]|([[{]))`,
);
/** Keys that may precede the name of a call, and comments. */
const otherKeysHead =
  /^[{[]{1,3}\s*(?:\/[/*]|["'“]?(?:type["'”]?\s*:\s*["'](?:function|tool_call|tool_use|call)\b|(?:thoughts?|thinking|reasoning|explanation)["'”]?\s*:|role["'”]?\s*:\s*["']assistant|(?:id|call_id|tool_call_id)["'”]?\s*:\s*["'](?:call|chatcmpl|tool|fc)))/;
/** The name of a tool as the only key. */
const keyedHead = /^\[?\s*\{{1,2}\s*["'“]([\w.-]+)["'”]\s*:\s*\{/;
const pythonHead = /^\[\s*([A-Za-z_][\w.]*)\(/;
const callFences =
  /^(?:|json|json5|jsonc|xml|tool_code|tool_calls?|tool_use|tools?|toolcall|function|function_call|action|react)$/;
const toolFence = /^(?:tool_code|tool_calls?|tool_use|tools?|toolcall|function|function_call)$/;
/** One channel of gpt-oss, up to its message. */
const channelHead =
  /^(?:<\|start\|>\w*([^<\n]{0,100}))?(?:<\|channel\|>\s*(\w+)([^<\n{]{0,100}))?(?:<\|constrain\|>\s*\w*)?\s*(?:<\|message\|>|(?=\{))/;
const channelEnd = /(?=<\|(?:start|channel)\|>)|<\|(?:end|call|return|eom|eot)\|>/;
const messageEnd = /<\|(?:end|call|return|eom|eot)\|>\s*/;

/** Undecided beginnings, by first character. */
const undecidedPatterns: Readonly<Record<string, RegExp>> = {
  "<": /^<(?:!-{0,2}|[|｜‖/]?[\w:=/ .'"▁|｜‖<>-]*|\|im_start\|>assistant[ \t]*-> tool\/function_call\s*)$/,
  "]": /^\](?:<(?:\](?:m[a-z]{0,6}(?:\[(?:>(?:\[[\s\w<="/.:-]*)?)?)?)?)?)?$/,
  "[": /^\[[\s{\w"'“”:：./*~|-]*\]?$/,
  "{": /^\{[\s{\w"'“”:：./*[-]*$/,
  ">": /^>{1,3}[\w.]{0,64}$/,
  "◁": /^◁\/?t?h?i?n?k?$/,
};

function classifyJson(rest: string, { offered, offeredOrAlias }: LiveContext): LiveConstruct | null {
  const call = { kind: "call", strength: "bare", json: true } as const;
  const python = pythonHead.exec(rest);
  if (python !== null) return offered(normalizeToolName(python[1] ?? "")) ? call : { kind: "text" };
  const keyed = keyedHead.exec(rest)?.[1];
  if (keyed !== undefined && offered(keyed)) return call;
  const head = jsonHead.exec(rest);
  if (head === null) return otherKeysHead.test(rest) ? { kind: "hold" } : null;
  const [, key, name] = head;
  const tool = normalizeToolName(name ?? "");
  const isCall = offered(tool) || (offeredOrAlias(tool) && !isAmbiguousAlias(tool));
  return key === undefined || name === undefined || isCall ? call : { kind: "text" };
}

function classifyFence(rest: string, context: LiveContext): LiveConstruct | null {
  const head = readFenceHead(rest);
  if (head === null)
    return rest.startsWith("`")
      ? classifyInlineCode(rest)
      : { kind: /^~{1,2}$|^~{3}[^\n]*$/.test(rest) ? "wait" : "text" };
  const { language, marks, length } = head;
  const mark = marks.startsWith("~") ? "~" : "`";
  const until = new RegExp(`(?:^|(?<=\\n))[ \\t]*${mark}{${marks.length},}[ \\t]*(?:<[^<>\\n]{1,40}>[ \\t]*)?(?=\\n)`);
  const quoted = { kind: "quoted", until } as const;
  if (!callFences.test(language)) return quoted;
  const own = toolFence.test(language);
  const call = { kind: "call", strength: own ? "marker" : "fence", until } as const;
  if (own) return call;
  const body = rest.slice(length).trimStart();
  if (body === "") return { kind: "wait" };
  if (!/^[[{<]/.test(body)) return quoted;
  const inner =
    classifyTag(body, { ...context, line: "" }) ?? (body.startsWith("<") ? null : classifyJson(body, context));
  if (inner?.kind === "call" || inner?.kind === "wait") return inner.kind === "call" ? call : inner;
  return inner === null && undecidedPatterns[body[0] ?? ""]?.test(body) === true ? { kind: "wait" } : quoted;
}

/** Inline code on one line, or the incomplete first line of a fence. */
function classifyInlineCode(rest: string): LiveConstruct {
  const marks = /^`+/.exec(rest)?.[0] ?? "`";
  const line = rest.split("\n")[0] ?? "";
  if (line.length === marks.length && line.length === rest.length) return { kind: "wait" };
  for (const run of line.slice(marks.length).matchAll(/`+/g)) {
    const end = marks.length + run.index + marks.length;
    if (run[0].length === marks.length && (end < rest.length || run.index + marks.length + run[0].length < rest.length))
      return { kind: "inline", length: end };
    if (run[0].length === marks.length) return { kind: "wait" };
  }
  return { kind: line.length < rest.length ? "text" : "wait" };
}

/** Text that can follow an opener of calls instead of a call: two words. */
const twoWords = /^\s*[A-Za-z]\w*[ \t]+\p{L}/u;
const undecidedWords = /^\s*(?:[A-Za-z]\w*[ \t]*)?$/;

/** `found`, the construct whose mark ends at `end`, unless a sentence names the mark. `opens` = a call must follow it. */
function unlessMentioned(
  rest: string,
  end: number,
  { line }: LiveContext,
  found: LiveConstruct,
  opens = false,
): LiveConstruct {
  const behind = rest.slice(end);
  const mention = isInSentence(line) ? classifyMention(rest, end) : "mark";
  if (mention === "mention" || (opens && twoWords.test(behind))) return { kind: "text" };
  const waits = mention === "wait" || (opens && undecidedWords.test(behind));
  return waits && rest.length < heldMaxChars ? { kind: "wait" } : found;
}

function classifyTag(rest: string, context: LiveContext): LiveConstruct | null {
  const { offered, offeredOrAlias } = context;
  const marked = markedCall.exec(rest);
  if (marked !== null)
    return unlessMentioned(
      rest,
      marked[0].length,
      context,
      { kind: "call", strength: "marker", until: markedEnd },
      true,
    );
  const marker = markerTag.exec(rest);
  if (marker !== null)
    return unlessMentioned(rest, marker[0].length, context, { kind: "call", strength: "marker", until: tagEnd }, true);
  const named = namedTag.exec(rest);
  if (named !== null) {
    const isKnown = offeredOrAlias(normalizeToolName(named[1] ?? ""));
    const call = isKnown ? ({ kind: "call", strength: "marker", until: tagEnd } as const) : ({ kind: "hold" } as const);
    return unlessMentioned(rest, rest.indexOf(">") + 1 || rest.length, context, call);
  }
  const own = /^<([a-z_]\w*)(?:\s[^<>]*)?>/.exec(rest);
  const name = own?.[1];
  if (own !== null && name !== undefined && (offered(name) || (name.includes("_") && offeredOrAlias(name))))
    return unlessMentioned(rest, own[0].length, context, {
      kind: "call",
      strength: "tag",
      until: new RegExp(`</${name}>`),
    });
  const token = specialToken.exec(rest);
  if (token === null) return null;
  const call = { kind: "call", strength: "marker", until: tokenEnd } as const;
  const recipient = /^to=functions\.[\w-]*/.exec(rest);
  return recipient === null
    ? unlessMentioned(rest, token[0].length, context, call, true)
    : unlessMentioned(rest, recipient[0].length, context, call);
}

function classifyChannel(rest: string): LiveConstruct | null {
  const head = /^<\|(?:start|channel)\|>/.test(rest) ? channelHead.exec(rest) : null;
  if (head === null) return null;
  const to = /to=[\w.:-]+/.test(`${head[1] ?? ""} ${head[3] ?? ""}`);
  if (head[2] === undefined && !to) return null;
  const displayed = recipientKinds.get(/to=([\w.:-]+)/.exec(`${head[1] ?? ""} ${head[3] ?? ""}`)?.[1] ?? "");
  if (to && displayed === undefined && head[2] !== "final")
    return { kind: "call", strength: "marker", until: messageEnd };
  return head[2] === "analysis" || displayed === "thinking"
    ? { kind: "thinking", skip: head[0].length, until: channelEnd }
    : { kind: "skip", skip: head[0].length };
}

/** `read(path="a")` or `read {"path": "a"}` as the whole answer; `read[ARGS]{…}` anywhere. */
function classifyName(rest: string, { offered, offeredOrAlias, isOpening, toolNames }: LiveContext): LiveConstruct {
  const isWord = /^[\w.-]+$/.test(rest);
  if (isWord && toolNames.some((one) => one.startsWith(rest) || rest.startsWith(one))) return { kind: "wait" };
  const found = /^([A-Za-z_][\w.-]*)(\[(?:ARGS|CALL_ID)\]|\[[A-Z_]{0,7}$|$|[ \t]*\n?[ \t]*[({]?)/.exec(rest);
  const name = normalizeToolName(found?.[1] ?? "");
  const suffix = found?.[2] ?? "";
  const call = { kind: "call", strength: "marker" } as const;
  if (found === null || !offeredOrAlias(name)) return { kind: "text" };
  if (suffix.startsWith("[") && suffix.endsWith("]")) return call;
  if (found[0].length === rest.length && !/[({]$/.test(suffix)) return { kind: "wait" };
  if (!isOpening || !offered(name) || !/[({]$/.test(suffix)) return { kind: "text" };
  const inside = rest.slice(found[0].length).trimStart();
  if (inside === "" || /^\w+\s*$/.test(inside)) return { kind: "wait" };
  return /^(?:\w+\s*[=:]|["'{})])/.test(inside) ? { ...call, strength: "bare", json: true } : { kind: "text" };
}

function classifyRecipient(rest: string, { offeredOrAlias }: LiveContext): LiveConstruct {
  const found = /^>>>([\w.]+)(?![\w.])[ \t]*\n?[ \t]*(?=([^\s]))/.exec(rest);
  if (found === null)
    return /^>{1,2}$|^>>>[\w.]*[ \t]*\n?[ \t]*$/.test(rest) ? { kind: "wait" } : { kind: "quoted", until: /(?=\n)/ };
  const name = normalizeToolName(found[1] ?? "");
  if (name === "all") return { kind: "skip", skip: found[0].length };
  return found[2] === "{" && offeredOrAlias(name)
    ? { kind: "call", strength: "marker" }
    : { kind: "quoted", until: /(?=\n)/ };
}

/** Classifies the start of `rest`, which may still grow. */
export function classifyLive(rest: string, context: LiveContext): LiveConstruct {
  const character = rest[0] ?? "";
  if (character === "<" && /^<[\s\d=]/.test(rest)) return { kind: "text" };
  const opensMark = "<[◁".includes(character);
  const thought = opensMark ? matchThinkingOpener(rest) : null;
  if (thought !== null) {
    const { length, close } = thought;
    return context.lineStart || context.isFirst
      ? { kind: "thinking", skip: length, until: close }
      : { kind: "quoted", until: close };
  }
  const found =
    classifyByCharacter(character, rest, context) ??
    (opensMark ? (classifyOrphanCloser(rest, context) ?? classifyTurnToken(rest)) : null);
  const waits = found === null ? undecidedPatterns[character]?.test(rest) === true : found.kind === "wait";
  if (waits) return { kind: rest.length < heldMaxChars ? "wait" : "text" };
  return found ?? { kind: "text" };
}

/** A closer of thinking whose opener was in the prompt: what was displayed before it stays, and is thinking in the end. */
function classifyOrphanCloser(rest: string, { lineStart, line }: LiveContext): LiveConstruct | null {
  const length = orphanCloserLength(rest, 0);
  if (length === 0) return null;
  const behind = rest.slice(length);
  if (!lineStart && /^[ \t]*$/.test(behind)) return { kind: "wait" };
  const closes = lineStart || /^[ \t]*\n/.test(behind) || closesThought(line, behind);
  return closes ? { kind: "skip", skip: length, continues: true } : { kind: "text" };
}

function classifyTurnToken(rest: string): LiveConstruct | null {
  const length = turnTokenLength(rest);
  return length === 0 ? null : { kind: "inline", length };
}

/** The opener of an element around the whole answer. */
function classifyWrapper(rest: string, { isFirst }: LiveContext): LiveConstruct | null {
  if (!isFirst) return null;
  if (/^<(?:response|answer)>\s*(?:<[\w/]{0,11})?$/.test(rest)) return { kind: "wait" };
  const length = matchLengthAt(answerOpener, rest, 0);
  return length === 0 ? null : { kind: "skip", skip: length };
}

function classifyQuoting(rest: string, context: LiveContext): LiveConstruct | null {
  const found = matchQuotingElement(rest);
  return found?.kind === "hold" ? unlessMentioned(rest, rest.indexOf(">") + 1, context, found) : found;
}

/** Returns null if undecided; `undecidedPatterns` decides whether to wait. */
function classifyByCharacter(character: string, rest: string, context: LiveContext): LiveConstruct | null {
  switch (character) {
    case "`":
    case "~":
      return classifyFence(rest, context);
    case "{":
      return classifyJson(rest, context);
    case "[":
      return specialToken.test(rest) ? classifyTag(rest, context) : classifyJson(rest, context);
    case "]":
      return markedCall.test(rest) ? classifyTag(rest, context) : null;
    case "<":
      return (
        classifyChannel(rest) ??
        classifyWrapper(rest, context) ??
        classifyTag(rest, context) ??
        classifyQuoting(rest, context)
      );
    case ">":
      return context.lineStart ? classifyRecipient(rest, context) : { kind: "text" };
    case "◁":
      return null;
    default:
      return specialToken.test(rest) ? classifyTag(rest, context) : classifyWord(rest, context);
  }
}

/** Beginnings of `to=functions.` and `functools[`, and the header words before the former without special tokens. */
const undecidedWord =
  /^(?:t|to|to=[a-z]{0,9}|f|fu|fun|func|funct|functo|functoo|functool|functools|functions\.[\w-]{0,64}(?::\d{0,4}\s*)?|(?:assistant|a|as|ass|assi|assis|assist|assista|assistan)(?:c|co|com|comm|comme|commen|comment|commenta|commentar)?|(?:assistant)?(?:commentary|analysis)[ \t]{0,4}(?:t|to|to=[a-z]{0,9})?|c|co|com|comm|comme|commen|comment|commenta|commentar)$/;
const indexedCall = /^functions\.[\w-]{1,64}:\d{1,4}\s*\{/;
/** The same at the start of a line: the header of GigaChat, the role of HyperCLOVA, a recipient. */
const undecidedHead =
  /^(?:function(?: (?:c(?:a(?:l(?:l(?:<[|\w]{0,10}>?)?\s*)?)?)?)?)?|-(?:> ?[\w/]{0,18}\s*)?|to=[\w.-]{0,80}[ \t]*(?:<[|\w<> \t]{0,40})?)$/;
const functionCallHead = /^function call(?:<\|role_sep\|>)?\s*\{/;
const recipient = new RegExp(`^${recipientHead}`);
const leakedCall = /^(?:assistant)?(?:commentary|analysis)?[ \t]*to=functions\./;

function classifyWord(rest: string, context: LiveContext): LiveConstruct {
  const label = context.lineStart ? classifyLabel(rest, context) : null;
  if (label !== null) return label;
  if (context.isOpening && (rest.startsWith("analysis") || "analysis".startsWith(rest)))
    return classifyBareChannel(rest);
  if (indexedCall.test(rest)) return { kind: "call", strength: "marker", json: true };
  if (context.lineStart) {
    const head = classifyHead(rest);
    if (head !== null) return head;
  }
  if (leakedCall.test(rest)) return { kind: "call", strength: "marker", until: tokenEnd };
  return "functions.".startsWith(rest) || undecidedWord.test(rest) ? { kind: "wait" } : classifyName(rest, context);
}

/** Heads of calls and messages that count only at the start of a line. */
function classifyHead(rest: string): LiveConstruct | null {
  if (functionCallHead.test(rest)) return { kind: "call", strength: "marker" };
  const addressed = recipient.exec(rest);
  if (addressed === null) return undecidedHead.test(rest) ? { kind: "wait" } : null;
  const kind = recipientKinds.get(addressed[1] ?? "");
  if (kind === undefined) return { kind: "call", strength: "marker", until: messageEnd };
  return kind === "text"
    ? { kind: "skip", skip: addressed[0].length }
    : { kind: "thinking", skip: addressed[0].length, until: channelEnd };
}

/** `analysis…assistantfinal…`: channels without their special tokens. */
function classifyBareChannel(rest: string): LiveConstruct {
  if (rest.length <= "analysis".length) return { kind: "wait" };
  return /^analysis\S/.test(rest)
    ? { kind: "thinking", skip: "analysis".length, until: /assistant(?:final|(?=commentary))/ }
    : { kind: "text" };
}
