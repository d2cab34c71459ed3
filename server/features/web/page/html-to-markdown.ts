/** Makes Markdown of a page: the article where one is recognised, else the page without its menus. Slow; runs in a worker. */
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom/worker";
import TurndownService from "turndown";

interface PageMarkdown {
  readonly title: string;
  readonly markdown: string;
}

/** A shorter article is a wrong guess. */
const minArticleChars = 200;
/** Readability gives up on pages with more elements. */
const maxArticleElements = 100_000;
const unreadable = "script,style,noscript,template,svg,iframe,object,[hidden],[aria-hidden=true]";
const pageFurniture = "nav,header,footer,aside,form,dialog,[role=navigation],[role=banner],[role=contentinfo]";

/** Converts a page; `url` is its address. Throws what the libraries throw on hostile pages. */
export function htmlToMarkdown(html: string, url: string): PageMarkdown {
  const document = parsePage(html);
  const title = document.querySelector("title")?.textContent ?? "";
  const base = findBase(document, url);
  const turndown = makeTurndown(base);
  const article = findArticle(document);
  if (article !== null) return { title, markdown: turndown.turndown(article) };
  // Readability has changed the document.
  const page = parsePage(html);
  for (const element of page.querySelectorAll(`${unreadable},${pageFurniture}`)) element.remove();
  return { title, markdown: turndown.turndown(page.body) };
}

/**
 * The parser takes tags as they are written, and many pages leave out those of their frame. So the frame is ours: all
 * that a page has is in the body.
 */
function parsePage(html: string): Document {
  const content = html.replace(/<!doctype\b[^>]{0,2000}>|<\/?(?:html|head|body)(?:\s[^>]{0,2000})?>/gi, "");
  return parseHTML(`<!doctype html><html><head></head><body>${content}</body></html>`).document;
}

function findBase(document: Document, url: string): string {
  const href = document.querySelector("base[href]")?.getAttribute("href");
  return typeof href === "string" && URL.canParse(href, url) ? new URL(href, url).href : url;
}

function findArticle(document: Document): HTMLElement | null {
  try {
    const article = new Readability<HTMLElement>(document, {
      maxElemsToParse: maxArticleElements,
      serializer: (node) => toElement(node),
    }).parse();
    return (article?.textContent?.trim().length ?? 0) < minArticleChars ? null : (article?.content ?? null);
  } catch {
    return null;
  }
}

function toElement(node: Node): HTMLElement {
  const { document } = parseHTML("<!doctype html><body></body>");
  document.body.append(node);
  return document.body;
}

function makeTurndown(base: string): TurndownService {
  const turndown = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    hr: "---",
  });
  turndown.remove(["title", "script", "style", "noscript", "template", "iframe", "object"]);
  turndown.addRule("link", {
    filter: "a",
    replacement(content, node) {
      const text = content.trim();
      const target = resolveLink(node, base);
      return text === "" || target === null ? content : `[${text.replace(/\s*\n\s*/g, " ")}](${target})`;
    },
  });
  turndown.addRule("image", { filter: ["img"], replacement: (_content, node) => describeImage(node) });
  turndown.addRule("preformatted", {
    filter: "pre",
    replacement: (_content, node) => `\n\n\`\`\`\n${(node.textContent ?? "").replace(/\n$/, "")}\n\`\`\`\n\n`,
  });
  turndown.addRule("cell", {
    filter: ["td", "th"],
    replacement: (content) => `${content.trim().replace(/\s*\n\s*/g, " ")} | `,
  });
  turndown.addRule("row", { filter: "tr", replacement: (content) => `\n| ${content.trim()}` });
  turndown.addRule("table", { filter: "table", replacement: (content) => `\n\n${content.trim()}\n\n` });
  return turndown;
}

const attributeOf = (node: TurndownService.Node, name: string): string =>
  "getAttribute" in node ? (node.getAttribute(name) ?? "") : "";

/** null = the link leads to no other page. */
function resolveLink(node: TurndownService.Node, base: string): string | null {
  const href = attributeOf(node, "href").trim();
  if (href === "" || href.startsWith("#") || !URL.canParse(href, base)) return null;
  const target = new URL(href, base);
  return target.protocol === "http:" || target.protocol === "https:" ? target.href : null;
}

/** The address of an image is of no use to a model. */
function describeImage(node: TurndownService.Node): string {
  const text = attributeOf(node, "alt").replace(/\s+/g, " ").trim();
  return text === "" ? "" : `[image: ${text}]`;
}
