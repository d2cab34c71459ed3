/**
 * Exports a session as one HTML file: no script, no external resources (enforced by its own policy), every text
 * escaped, links left as text. Light or dark by the reader's system; collapsed calls open when printed.
 */
import type { Steps } from "@/lib/async/steps";
import { escapeHtml } from "./escape-html";
import type { ExportHead } from "./export-markdown";
import { type ExportPart, formatTime, renderParts, userHead } from "./export-parts";
import { exportStyle } from "./export-style";
import { preHtml, renderProse } from "./prose-html";

const contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function* exportHtml(head: ExportHead, parts: Iterable<ExportPart>): Steps<string> {
  const texts = yield* renderParts(parts, partHtml);
  const title = escapeHtml(head.title.replace(/\s+/g, " ").trim());
  const facts = [formatTime(head.createdAt), head.model, head.cwd]
    .filter((one) => one !== "")
    .map(escapeHtml)
    .join(" · ");
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${exportStyle}</style>
</head>
<body>
<main>
<header>
<h1>${title}</h1>
<p class="about">${facts}</p>
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
      return `<section class="user">${userHead(part) === "" ? "" : `<div class="when">${userHead(part)}</div>`}<div class="text">${escapeHtml(part.text)}</div></section>`;
    case "assistant":
      return yield* renderProse(part.text);
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
    case "reference":
      return `<details class="call"><summary><b>Attached</b> <code>${escapeHtml(part.name)}</code></summary>${preHtml(part.text)}</details>`;
    case "summary":
      return `<section class="summary"><h2>Summary</h2>${yield* renderProse(part.text)}</section>`;
    case "notice":
      return `<p class="notice">${escapeHtml(part.text)}</p>`;
  }
}

const diffLineClasses: Readonly<Record<string, string>> = { "+": "add", "-": "cut" };

const diffHtml = (diff: string): string =>
  `<pre>${diff
    .split("\n")
    .map((line) => `<span class="${diffLineClasses[line.charAt(0)] ?? "same"}">${escapeHtml(line) || " "}</span>`)
    .join("")}</pre>`;
