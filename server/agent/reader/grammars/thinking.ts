/** Thinking in the text: tags, special tokens, and closers whose opener was in the prompt. */
import { tagSuffix } from "@/server/tools/written-json/tag-forms";
import { matchAt, matchLengthAt } from "@/server/base/match-at";

interface ThinkingMarkers {
  readonly open: RegExp;
  readonly close: (name: string) => string;
}

const thinkTagNames = "think|thinking|thought|thoughts|reasoning|scratchpad|reflection";
const thinkingMarkers: readonly ThinkingMarkers[] = [
  {
    open: new RegExp(
      `<((?:\\w{1,12}[:|]|longcat_|iquestcoder_)?(?:${thinkTagNames})(?:_fast(?:er)?)?${tagSuffix})>`,
      "iy",
    ),
    close: (name) => `</${name}>`,
  },
  { open: /\[THINK\]/y, close: () => "[/THINK]" },
  { open: /<\|START_THINKING\|>/y, close: () => "<|END_THINKING|>" },
  { open: /◁think▷/y, close: () => "◁/think▷" },
  { open: /<\|channel>thought\b/y, close: () => "<channel|>" },
  { open: /<\|inner_prefix\|>/y, close: () => "<|inner_suffix|>" },
  { open: /<\|open\|>think<\|sep\|>/y, close: () => "<|close|>think<|sep|>" },
  { open: /(?:<\|message_model\|>)?<\|content_thinking\|>/y, close: () => "<|end_message|>" },
  { open: /<\|think\|>/y, close: () => "<|end|>" },
  { open: /<\|begin_of_thought\|>/y, close: () => "<|end_of_thought|>" },
  { open: /<unused94>thought\b/y, close: () => "<unused95>" },
  { open: /\[unused16\]/y, close: () => "[unused17]" },
];
/** Source of a regular expression for the closers whose opener may be in the prompt. */
export const orphanThoughtCloser = String.raw`<\/(?:\w{1,12}[:|]|longcat_|iquestcoder_)?(?:think|thinking)(?:_fast(?:er)?)?${tagSuffix}>|\[\/THINK\]|<\|END_THINKING\|>|◁\/think▷|<channel\|>|<\|inner_suffix\|>|<\|close\|>think<\|sep\|>|<\|end_of_thought\|>|<unused95>|\[unused17\]`;
const orphanCloserPattern = new RegExp(orphanThoughtCloser, "y");

/** Matches the opener of thinking at the start of `text` and returns its closer. */
export function matchThinkingOpener(text: string): { readonly length: number; readonly close: RegExp } | null {
  for (const { open, close } of thinkingMarkers) {
    const found = matchAt(open, text, 0);
    if (found !== null)
      return { length: found[0].length, close: new RegExp(close(found[1] ?? "").replaceAll(/[|[\]\\]/g, "\\$&")) };
  }
  return null;
}

/** Whether a closer between these texts on one line closes thinking: between two sentences; between two words it is a mention. */
export const closesThought = (before: string, behind: string): boolean =>
  /[.!?。！？…:：;)"'*\]]\s*$/.test(before) && /^\s*[^\s\p{Ll},;.]/u.test(behind);

/** Whether `thought`, which `text` begins with, ends with a closer and has no opener. */
export function startsInThinking(text: string, thought: string): boolean {
  const start = text.trimStart();
  if (!start.startsWith(thought)) return false;
  return matchLengthAt(orphanCloserPattern, start.slice(thought.length).trimStart(), 0) > 0;
}

interface ThinkingBlock {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Reads the thinking that opens at `at`. */
export function readThinking(text: string, at: number): ThinkingBlock | null {
  for (const { open, close } of thinkingMarkers) {
    const found = matchAt(open, text, at);
    if (found === null) continue;
    const start = at + found[0].length;
    const closer = close(found[1] ?? "");
    const end = text.indexOf(closer, start);
    return end < 0
      ? { start: at, end: text.length, text: text.slice(start) }
      : { start: at, end: end + closer.length, text: text.slice(start, end) };
  }
  return null;
}

/** Length of a closer without an opener at `at`; 0 = none. */
export const orphanCloserLength = (text: string, at: number): number => matchLengthAt(orphanCloserPattern, text, at);
