/**
 * Splits `<think>…</think>` at the very start of an answer off its text, for models whose template the server does not
 * recognize. Anywhere else the tag is text, and so is a closing tag without an opening one: text already shown cannot
 * be taken back here. The call parser in agent/fallback, which judges whole answers, treats the text before it as
 * thinking, so no call there runs. Pure apart from its own state.
 */
import type { ReasoningField } from "@/lib/events/content";
import type { makeAnswerLimit } from "./answer-limit";

const openTag = "<think>";
const closeTag = "</think>";

export type ThinkPart = {
  readonly type: "text" | "thinking";
  readonly text: string;
  /** Field of the answer that it came in, besides the text. */
  readonly field?: ReasoningField;
};

const toParts = (type: ThinkPart["type"], text: string): readonly ThinkPart[] => (text === "" ? [] : [{ type, text }]);

/** Number of characters at the end of `text` that may be the start of `tag`. */
function tagPrefixLength(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length--)
    if (text.endsWith(tag.slice(0, length))) return length;
  return 0;
}

/** Drops white space around the tags, as the server's own parser does. An unclosed tag makes the rest thinking. */
export function makeThinkTags() {
  let state: "start" | "opened" | "thinking" | "closed" | "text" = "start";
  let held = "";

  /** Returns the parts that are certain after this piece; holds back a possible start of a tag. */
  function push(text: string): readonly ThinkPart[] {
    if (state === "text") return toParts("text", text);
    const all = held + text;
    held = "";
    const trimmed = all.trimStart();
    switch (state) {
      case "start":
        if (trimmed.length < openTag.length && openTag.startsWith(trimmed)) {
          held = all;
          return [];
        }
        state = trimmed.startsWith(openTag) ? "opened" : "text";
        return state === "text" ? toParts("text", all) : push(trimmed.slice(openTag.length));
      case "opened":
        if (trimmed === "") return [];
        state = "thinking";
        return push(trimmed);
      case "thinking": {
        const end = all.indexOf(closeTag);
        if (end >= 0) {
          state = "closed";
          return [...toParts("thinking", all.slice(0, end)), ...push(all.slice(end + closeTag.length))];
        }
        const sure = all.length - tagPrefixLength(all, closeTag);
        held = all.slice(sure);
        return toParts("thinking", all.slice(0, sure));
      }
      case "closed":
        if (trimmed !== "") state = "text";
        return toParts("text", trimmed);
    }
  }

  return {
    push,
    /** Returns the held-back text, when the answer ends or another part interrupts. */
    flush(): readonly ThinkPart[] {
      const rest = held;
      held = "";
      if (state === "start" && rest !== "") state = "text";
      return toParts(state === "thinking" ? "thinking" : "text", rest);
    },
  };
}

/** Converts received text to parts within `limit`. Where the server separates thinking itself, a think tag is text. */
export function makeTextParts(limit: ReturnType<typeof makeAnswerLimit>) {
  const tags = makeThinkTags();
  let splitByServer = false;
  return {
    /** `field` = where a server put thinking that it separates. */
    take(type: ThinkPart["type"], whole: string, field?: ReasoningField): readonly ThinkPart[] {
      const text = limit.fit(whole);
      if (text === "") return [];
      splitByServer ||= type === "thinking";
      return splitByServer ? [...tags.flush(), { type, text, ...(field && { field }) }] : tags.push(text);
    },
    flush: tags.flush,
  };
}
