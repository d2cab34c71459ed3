/**
 * Splits `<think>…</think>` at the very start of an answer off its text, for models whose template the server does not know.
 * Anywhere else the tag is text, and so is a closer without its opener: what was shown cannot be taken back here. The call
 * reader of agent/fallback, which judges whole answers, takes what stands before it for thinking, and no call there runs.
 * Pure; called by ollama-answer.
 */
const open = "<think>";
const close = "</think>";

export type ThinkPart = { readonly type: "text" | "thinking"; readonly text: string };

export interface ThinkTags {
  /** The parts that are certain after this piece; what may still become a tag is held back. */
  push(text: string): readonly ThinkPart[];
  /** What was held back, when the answer ends or something else comes between. */
  flush(): readonly ThinkPart[];
}

const part = (type: ThinkPart["type"], text: string): readonly ThinkPart[] => (text === "" ? [] : [{ type, text }]);

/** How many characters at the end of `text` may be the start of `tag`. */
function heldLength(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length--)
    if (text.endsWith(tag.slice(0, length))) return length;
  return 0;
}

/** White space around the tags belongs to nobody, as in the server's own parser. An unclosed tag is thinking to the end. */
export function makeThinkTags(): ThinkTags {
  let state: "start" | "opened" | "thinking" | "closed" | "text" = "start";
  let held = "";

  function push(text: string): readonly ThinkPart[] {
    if (state === "text") return part("text", text);
    const all = held + text;
    held = "";
    const trimmed = all.trimStart();
    switch (state) {
      case "start":
        if (trimmed.length < open.length && open.startsWith(trimmed)) {
          held = all;
          return [];
        }
        state = trimmed.startsWith(open) ? "opened" : "text";
        return state === "text" ? part("text", all) : push(trimmed.slice(open.length));
      case "opened":
        if (trimmed === "") return [];
        state = "thinking";
        return push(trimmed);
      case "thinking": {
        const end = all.indexOf(close);
        if (end >= 0) {
          state = "closed";
          return [...part("thinking", all.slice(0, end)), ...push(all.slice(end + close.length))];
        }
        const sure = all.length - heldLength(all, close);
        held = all.slice(sure);
        return part("thinking", all.slice(0, sure));
      }
      case "closed":
        if (trimmed !== "") state = "text";
        return part("text", trimmed);
    }
  }

  return {
    push,
    flush() {
      const rest = held;
      held = "";
      if (state === "start" && rest !== "") state = "text";
      return part(state === "thinking" ? "thinking" : "text", rest);
    },
  };
}
