/**
 * Exports a session as one HTML file: no script, no external resources (enforced by its own policy), every text
 * escaped, links left as text. Light or dark by the reader's system; collapsed calls open when printed.
 */
import type { Steps } from "@/lib/async/steps";
import { escapeHtml } from "./escape-html";
import type { ExportHead } from "./export-markdown";
import { type ExportPart, formatTime, renderParts, userHead } from "./export-parts";
import { preHtml, renderProse } from "./prose-html";

const lightColors = `--canvas:oklch(.985 .002 100);--surface:oklch(.966 .003 100);--raised:#fff;--line:oklch(.905 .004 100);--ink:oklch(.24 .01 260);--muted:oklch(.48 .01 260);--danger:oklch(.54 .19 25);--added:oklch(.75 .14 150/.14);--removed:oklch(.7 .16 25/.11)`;
const darkColors = `--canvas:oklch(.178 .006 260);--surface:oklch(.2 .007 260);--raised:oklch(.228 .008 260);--line:oklch(.285 .008 260);--ink:oklch(.93 .005 100);--muted:oklch(.71 .01 260);--danger:oklch(.7 .17 25);--added:oklch(.7 .14 150/.12);--removed:oklch(.65 .17 25/.12)`;

const cjk = `"PingFang SC","Hiragino Sans GB","Microsoft YaHei","Noto Sans CJK SC"`;
const sans = `Geist,system-ui,-apple-system,"Segoe UI",${cjk},sans-serif`;
const mono = `"Geist Mono",ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace,${cjk}`;

/** Style of an exported page: the app's fonts, colours and sizes, as far as possible without loading files. */
const exportStyle = `:root{color-scheme:light dark;${lightColors}}
@media (prefers-color-scheme:dark){:root{${darkColors}}}
*{box-sizing:border-box}body{margin:0;background:var(--canvas);color:var(--ink);font:14.5px/24px ${sans};-webkit-font-smoothing:antialiased}
main{max-width:760px;margin:0 auto;padding:40px 16px 64px}header{margin-bottom:32px;padding-bottom:16px;border-bottom:1px solid var(--line)}
h1{margin:0 0 4px;font-size:20px;line-height:28px;font-weight:600;overflow-wrap:anywhere}h2{margin:0 0 4px;font-size:13px;line-height:20px;font-weight:600}
.about,.when,.notice{margin:0;color:var(--muted);font-size:12px;line-height:16px;overflow-wrap:anywhere}.notice{margin:8px 0}
.user{margin:24px 0 16px;padding:10px 14px;background:var(--raised);border:1px solid var(--line);border-radius:8px}.when{float:right;margin:4px 0 0 12px}
.text{margin:8px 0;white-space:pre-wrap;overflow-wrap:anywhere}.user .text{margin:0}.summary{margin:24px 0;padding:12px 14px;background:var(--surface);border-radius:8px}
code,pre{font:12.5px/20px ${mono};font-variant-ligatures:none}.prose{margin:8px 0;overflow-wrap:anywhere}.prose p,.prose blockquote{margin:8px 0}.prose h3{margin:16px 0 4px;font-size:15px;line-height:24px;font-weight:600}.prose hr{margin:16px 0;border:0;border-top:1px solid var(--line)}.prose blockquote{padding-left:12px;border-left:2px solid var(--line);color:var(--muted)}.prose .item{display:flex;gap:8px;margin:2px 0;padding-left:4px}.prose .item span:first-child{flex:none;min-width:12px;color:var(--muted)}.prose .body{min-width:0}.depth1{margin-left:20px!important}.depth2{margin-left:40px!important}.depth3{margin-left:60px!important}.table{margin:8px 0;overflow-x:auto}table{border-collapse:collapse;font-size:13.5px;line-height:20px}th,td{padding:6px 12px;border:1px solid var(--line);text-align:left;vertical-align:top}th{background:var(--surface);font-weight:500}
.text code,.prose code{padding:1px 5px;border-radius:4px;background:color-mix(in oklch,var(--ink) 6%,transparent)}
pre{margin:8px 0;padding:8px 12px;background:var(--raised);border:1px solid var(--line);border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere}
details{font-size:13px;line-height:20px}details>:not(summary){margin-left:16px}summary{padding:4px 0;cursor:pointer;color:var(--muted);overflow-wrap:anywhere}summary b{color:var(--ink);font-weight:500}summary code{color:var(--ink)}summary span{float:right;font-size:12px}
.call[data-state=error]>summary span{color:var(--danger)}.add{background:var(--added)}.cut{background:var(--removed)}.add,.cut,.same{display:block;margin:0 -12px;padding:0 12px}
@media print{body{background:#fff;color:#000;font-size:11pt}main{max-width:none;padding:0}details::details-content{content-visibility:visible;display:block}.user{break-after:avoid}pre{break-inside:auto}}`;

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
