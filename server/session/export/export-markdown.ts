/** Exports a session as Markdown: the conversation as written, calls collapsed with their output and changes. */
import type { Steps } from "@/lib/async/steps";
import { escapeHtml } from "./escape-html";
import { type ExportPart, formatTime, renderParts, userHead } from "./export-parts";

export interface ExportHead {
  readonly title: string;
  readonly model: string;
  readonly cwd: string;
  /** ms epoch */
  readonly createdAt: number;
}

export function* exportMarkdown(head: ExportHead, parts: Iterable<ExportPart>): Steps<string> {
  const texts = yield* renderParts(parts, partMarkdown);
  const facts = [formatTime(head.createdAt), head.model, head.cwd].filter((one) => one !== "");
  return `${[`# ${toOneLine(head.title)}`, facts.map((one) => `\`${toOneLine(one).replaceAll("`", "'")}\``).join(" · "), ...texts].join("\n\n")}\n`;
}

const toOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

function partMarkdown(part: ExportPart): string {
  switch (part.kind) {
    case "user":
      return userHead(part) === "" ? toQuote(part.text) : `**${userHead(part)}**\n\n${toQuote(part.text)}`;
    case "assistant":
      return part.text;
    case "thinking":
      return details("…", toQuote(part.text));
    case "call":
      return details(
        `<code>${escapeHtml(part.name)}</code> ${escapeHtml(toOneLine(part.target))} (${escapeHtml(part.state)})`,
        [
          toFence(part.input, "json"),
          ...(part.output === "" ? [] : [toFence(part.output, "")]),
          ...part.changes.map(
            ({ path, diff, note }) =>
              `\`${path.replaceAll("`", "'")}\`\n\n${diff === null ? `*${note}*` : toFence(diff, "diff")}`,
          ),
        ].join("\n\n"),
      );
    case "reference":
      return details(`Attached <code>${escapeHtml(toOneLine(part.name))}</code>`, toFence(part.text, ""));
    case "summary":
      return `---\n\n${toQuote(part.text)}`;
    case "notice":
      return `*${toOneLine(part.text).replace(/[*_<>]/g, "\\$&")}*`;
  }
}

const toQuote = (text: string): string => text.replace(/^/gm, "> ");

const details = (summary: string, body: string): string =>
  `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;

/** The fence is longer than any in the text. */
function toFence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
