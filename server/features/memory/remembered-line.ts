/** Lines that the program adds to the memory: one line each, without characters and tags that mean something else. Pure. */
import { toOneLine } from "@/server/tools/toolbox/foreign-text";

/** Characters of a remembered text. */
export const rememberedMaxChars = 300;

/** Tags and tokens by which programs and chat templates separate parts of a prompt. */
const markers =
  /<(?=\s{0,2}\/?\s{0,2}(?:[|｜]|context\b|attached|tool|function|think|system\b|user\b|assistant\b|human\b|im_|start_of_turn|end_of_turn|(?:s|bos|eos|sop|eop)>))/gi;
const bracketMarkers = /\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])|<(?=<\/?SYS>>)/gi;

/** Returns the text with markers of prompts made plain text. */
export const neutralizeMarkers = (text: string): string =>
  text.replace(markers, "&lt;").replace(bracketMarkers, (mark) => (mark === "[" ? "(" : "&lt;"));

/** Returns a text as it is stored: on one line, without a bullet or date of its own. */
export const toRememberedText = (text: string): string =>
  neutralizeMarkers(toOneLine(text))
    .replace(/^(?:[-*+#>]\s+)+/, "")
    .replace(/^\d{4}-\d{2}-\d{2}\s+/, "")
    .trim();

/** Formats the line of a text in a memory file. */
export const formatRemembered = (day: string, text: string): string => `- ${day} ${text}`;
