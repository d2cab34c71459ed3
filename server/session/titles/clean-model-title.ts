/** Turns what a model wrote as a title into one, or refuses it. Pure. */
import { plainMarkdownLine } from "@/lib/text/plain-markdown";

/** Maximum length of a title that a model wrote, characters. */
const maxChars = 60;

/** Names that models write before a title. */
const label =
  /^(?:(?:session|conversation|chat)\s+)?(?:t[ií]t(?:le|el|re|ulo|olo)|标题|標題|タイトル|제목)\s*[:：]\s*/iu;
const outerQuotes = /^["'“”„«»‘’「」『』《》*_]+|["'“”„«»‘’「」『』《》*_]+$/gu;
const lastStop = /[.。]+$/u;
/** How calls and thinking begin in a text, where they were not read as such. */
const notATitle = /^(?:[<{[]|Action\s*:|Thought\s*:)|<\/?(?:think|tool|function)/iu;

/** `prompt` = the message that the title is for. Returns null for an answer that is no title, or repeats the message. */
export function cleanModelTitle(answer: string, prompt: string): string | null {
  if (notATitle.test(answer.trim())) return null;
  const lines = answer.split("\n").map(cleanLine);
  const title = lines.find((line) => line !== "" && !/[:：]$/u.test(line)) ?? "";
  if (title === "" || comparable(prompt).startsWith(comparable(title))) return null;
  const signs = [...title];
  return signs.length <= maxChars
    ? title
    : `${signs
        .slice(0, maxChars - 1)
        .join("")
        .trimEnd()}…`;
}

const cleanLine = (line: string): string =>
  plainMarkdownLine(line.replaceAll(/\p{Cc}/gu, " "))
    .replace(outerQuotes, "")
    .replace(label, "")
    .replace(outerQuotes, "")
    .replace(lastStop, "")
    .replace(outerQuotes, "")
    .trim();

/** Letters and digits alone. */
const comparable = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
