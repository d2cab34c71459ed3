/**
 * Exports a session as one HTML file: no script, no external resources (enforced by its own policy), every text
 * escaped, links left as text. Light or dark by the reader's system; collapsed calls open when printed.
 */
import type { Steps } from "@/lib/steps";
import { escapeHtml } from "./escape-html";
import type { ExportHead } from "./export-markdown";
import { type ExportPart, textsOf, timeText } from "./export-parts";
import { exportStyle } from "./export-style";
import { preHtml, proseSteps } from "./prose-html";

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function* exportHtml(head: ExportHead, parts: Iterable<ExportPart>): Steps<string> {
  const texts = yield* textsOf(parts, partHtml);
  const title = escapeHtml(head.title.replace(/\s+/g, " ").trim());
  const about = [timeText(head.createdAt), head.model, head.cwd]
    .filter((one) => one !== "")
    .map(escapeHtml)
    .join(" · ");
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${exportStyle}</style>
</head>
<body>
<main>
<header>
<h1>${title}</h1>
<p class="about">${about}</p>
</header>
${texts.join("\n")}
</main>
</body>
</html>
`;
}

function* partHtml(part: ExportPart): Steps<string> {
  switch (part.kind) {
    case "user":
      return `<section class="user">${part.at === 0 ? "" : `<div class="when">${timeText(part.at)}</div>`}<div class="text">${escapeHtml(part.text)}</div></section>`;
    case "assistant":
      return yield* proseSteps(part.text);
    case "thinking":
      return `<details class="thinking"><summary>Thought</summary><div class="text">${escapeHtml(part.text)}</div></details>`;
    case "call":
      return `<details class="call" data-state="${escapeHtml(part.state)}"><summary><b>${escapeHtml(part.verb)}</b> <code>${escapeHtml(part.target)}</code> <span>${escapeHtml(part.state === "ok" ? "" : part.state)}</span></summary>${[
        preHtml(part.input),
        part.output === "" ? "" : preHtml(part.output),
        ...part.changes.map(
          ({ path, diff, note }) =>
            `<p><code>${escapeHtml(path)}</code></p>${diff === null ? `<p class="notice">${escapeHtml(note)}</p>` : diffHtml(diff)}`,
        ),
      ].join("")}</details>`;
    case "summary":
      return `<section class="summary"><h2>Summary</h2>${yield* proseSteps(part.text)}</section>`;
    case "notice":
      return `<p class="notice">${escapeHtml(part.text)}</p>`;
  }
}

const classes: Readonly<Record<string, string>> = { "+": "add", "-": "cut" };

const diffHtml = (diff: string): string =>
  `<pre>${diff
    .split("\n")
    .map((line) => `<span class="${classes[line.charAt(0)] ?? "same"}">${escapeHtml(line) || " "}</span>`)
    .join("")}</pre>`;
