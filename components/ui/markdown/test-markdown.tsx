/** Rendering of Markdown in tests, and the check of its markup. */
import { renderToStaticMarkup } from "react-dom/server";
import { expect } from "vitest";
import { en } from "../../messages/en";
import { StaticMessages } from "../../messages/messages";
import { BlockView } from "./block-view";
import { type MarkdownSplit } from "./markdown-split";
import { MarkdownLinksContext } from "./links";
import { Markdown } from "./markdown";

export const draw = (text: string, live = false): string =>
  renderToStaticMarkup(
    <StaticMessages messages={en}>
      <MarkdownLinksContext value={{ openPath: () => undefined }}>
        <Markdown text={text} live={live} />
      </MarkdownLinksContext>
    </StaticMessages>,
  );

export const drawSplit = (split: MarkdownSplit): string =>
  renderToStaticMarkup(
    <StaticMessages messages={en}>
      {[...split.final, ...split.open].map((block, index) => (
        <BlockView key={index} block={block} finished />
      ))}
    </StaticMessages>,
  );

/** Allowlist of elements; anything else in the markup is a leak. */
const elements = new Set(
  "div p h3 h4 h5 strong em del code br a button span ul ol li table thead tbody tr th td blockquote hr figure figcaption pre mark svg path rect circle line polyline".split(
    " ",
  ),
);
const tagPattern = /<\/?([a-z][a-z0-9-]*)((?:\s+[a-zA-Z:-]+(?:="[^"]*")?)*)\s*\/?>/g;

export function check(markup: string): void {
  const rest = markup.replace(tagPattern, (_, name: string, attributes: string) => {
    expect(elements, markup).toContain(name);
    expect(attributes, markup).not.toMatch(/\son[a-z]+=/i);
    for (const [, value = ""] of attributes.matchAll(
      /\s(?:href|src|srcset|action|formaction|xlink:href|data)="([^"]*)"/gi,
    )) {
      expect(value, markup).toMatch(/^(?:https?:\/\/|mailto:)/);
    }
    return "";
  });
  expect(rest, markup).not.toMatch(/[<>]/);
}
