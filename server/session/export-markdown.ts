/** Exports a session as Markdown: the conversation as written, calls collapsed with their output and changes. */
import type { Steps } from "@/lib/steps";
import { escapeHtml } from "./escape-html";
import { type ExportPart, textsOf, timeText } from "./export-parts";

export interface ExportHead {
  readonly title: string;
  readonly model: string;
  readonly cwd: string;
  /** ms epoch */
  readonly createdAt: number;
}

export function* exportMarkdown(head: ExportHead, parts: Iterable<ExportPart>): Steps<string> {
  const texts = yield* textsOf(parts, partText);
  const about = [timeText(head.createdAt), head.model, head.cwd].filter((one) => one !== "");
  return `${[`# ${oneLine(head.title)}`, about.map((one) => `\`${oneLine(one).replaceAll("`", "'")}\``).join(" · "), ...texts].join("\n\n")}\n`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

function partText(part: ExportPart): string {
  switch (part.kind) {
    case "user":
      return part.at === 0 ? quoted(part.text) : `**${timeText(part.at)}**\n\n${quoted(part.text)}`;
    case "assistant":
      return part.text;
    case "thinking":
      return details("…", quoted(part.text));
    case "call":
      return details(
        `<code>${escapeHtml(part.name)}</code> ${escapeHtml(oneLine(part.target))} (${escapeHtml(part.state)})`,
        [
          fenced(part.input, "json"),
          ...(part.output === "" ? [] : [fenced(part.output, "")]),
          ...part.changes.map(
            ({ path, diff, note }) =>
              `\`${path.replaceAll("`", "'")}\`\n\n${diff === null ? `*${note}*` : fenced(diff, "diff")}`,
          ),
        ].join("\n\n"),
      );
    case "summary":
      return `---\n\n${quoted(part.text)}`;
    case "notice":
      return `*${oneLine(part.text).replace(/[*_<>]/g, "\\$&")}*`;
  }
}

const quoted = (text: string): string => text.replace(/^/gm, "> ");

const details = (summary: string, body: string): string =>
  `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;

/** The fence is longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
