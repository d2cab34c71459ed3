/**
 * A session as one HTML file: no script, nothing loaded from anywhere (its own policy says so), every text escaped, links left as
 * text. Light and dark by the reader's system; folded calls open when it is printed. Used by export.ts.
 */
import { escapeHtml } from "./escape-html";
import type { ExportHead } from "./export-markdown";
import { type ExportPart, timeText } from "./export-parts";

const style = `:root{color-scheme:light dark;--ink:#1c1b19;--soft:#6b6862;--line:#e2dfd9;--paper:#fbfaf8;--card:#f2f0ec;--add:#e3f3e4;--cut:#fbe6e4}
@media (prefers-color-scheme:dark){:root{--ink:#ebe8e2;--soft:#a09b92;--line:#3a3732;--paper:#191816;--card:#23211e;--add:#1d3322;--cut:#3d2220}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI","PingFang SC","Hiragino Sans GB","Microsoft YaHei","Noto Sans CJK SC","Source Han Sans SC",sans-serif}
main{max-width:46rem;margin:0 auto;padding:2.5rem 1.25rem}h1{font-size:1.5rem;line-height:1.3;margin:0 0 .25rem;overflow-wrap:anywhere}.about{color:var(--soft);font-size:.875rem;margin:0 0 2rem;overflow-wrap:anywhere}
.user{background:var(--card);border-radius:.75rem;padding:.75rem 1rem;margin:2rem 0 1rem}.text{white-space:pre-wrap;overflow-wrap:anywhere;margin:1rem 0}.user .text{margin:0}.when,.notice{color:var(--soft);font-size:.8125rem}
code,pre{font:.8125rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono CJK SC",monospace}pre{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.75rem;margin:.5rem 0;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
details{border:1px solid var(--line);border-radius:.5rem;padding:.375rem .75rem;margin:.5rem 0}summary{cursor:pointer;overflow-wrap:anywhere}summary span{color:var(--soft)}.add{background:var(--add)}.cut{background:var(--cut)}.add,.cut,.same{display:block}hr{border:0;border-top:1px solid var(--line);margin:2rem 0}
@media print{body{background:#fff;color:#000;font-size:11pt}main{max-width:none;padding:0}details{border:0;padding:0}details::details-content{content-visibility:visible;display:block}.user{break-after:avoid;border:1px solid #ccc}pre{break-inside:auto}}`;

const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function exportHtml(head: ExportHead, parts: readonly ExportPart[]): string {
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
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="about">${about}</p>
${parts.map(partHtml).join("\n")}
</main>
</body>
</html>
`;
}

function partHtml(part: ExportPart): string {
  switch (part.kind) {
    case "user":
      return `<section class="user">${part.at === 0 ? "" : `<div class="when">${timeText(part.at)}</div>`}<div class="text">${escapeHtml(part.text)}</div></section>`;
    case "assistant":
      return proseHtml(part.text);
    case "thinking":
      return `<details><summary><span>…</span></summary><div class="text">${escapeHtml(part.text)}</div></details>`;
    case "call":
      return `<details><summary><code>${escapeHtml(part.name)}</code> ${escapeHtml(part.target)} <span>${escapeHtml(part.state)}</span></summary>${[
        preHtml(part.input),
        part.output === "" ? "" : preHtml(part.output),
        ...part.changes.map(
          ({ path, diff, note }) =>
            `<p><code>${escapeHtml(path)}</code></p>${diff === null ? `<p class="notice">${escapeHtml(note)}</p>` : diffHtml(diff)}`,
        ),
      ].join("")}</details>`;
    case "summary":
      return `<hr><div class="text">${escapeHtml(part.text)}</div><hr>`;
    case "notice":
      return `<p class="notice">${escapeHtml(part.text)}</p>`;
  }
}

const preHtml = (text: string): string => `<pre>${escapeHtml(text)}</pre>`;

/** Fenced code as a block, words in single marks as code, everything else as it was typed. */
function proseHtml(text: string): string {
  const pieces = text.split(/^(?:```|~~~)[^\n]*$/m);
  return pieces
    .map((piece, index) => {
      const body = piece.replace(/^\n|\n$/g, "");
      if (body === "") return "";
      return index % 2 === 1 ? preHtml(body) : `<div class="text">${inlineHtml(body)}</div>`;
    })
    .join("");
}

const inlineHtml = (text: string): string =>
  text
    .split(/(`[^`\n]+`)/)
    .map((piece, index) => (index % 2 === 1 ? `<code>${escapeHtml(piece.slice(1, -1))}</code>` : escapeHtml(piece)))
    .join("");

const classes: Readonly<Record<string, string>> = { "+": "add", "-": "cut" };

const diffHtml = (diff: string): string =>
  `<pre>${diff
    .split("\n")
    .map((line) => `<span class="${classes[line.charAt(0)] ?? "same"}">${escapeHtml(line) || " "}</span>`)
    .join("")}</pre>`;
