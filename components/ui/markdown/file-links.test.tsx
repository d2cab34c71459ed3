import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { en } from "../../messages/en";
import { StaticMessages } from "../../messages/messages";
import { MarkdownLinksContext } from "./links";
import { Markdown } from "./markdown";

const render = (text: string, hasEditor: boolean): string =>
  renderToStaticMarkup(
    <StaticMessages messages={en}>
      <MarkdownLinksContext value={{ openPath: hasEditor ? () => undefined : null }}>
        <Markdown text={text} live={false} />
      </MarkdownLinksContext>
    </StaticMessages>,
  );
const linkTitles = (html: string): readonly (string | undefined)[] =>
  [...html.matchAll(/<button[^>]*data-link[^>]*title="([^"]*)"/g)].map(([, title]) => title);

describe("an answer beside an editor", () => {
  test.each([
    ["See src/a.ts:3 and `src/b.ts:4:5`.", ["src/a.ts:3", "src/b.ts:4"]],
    ["In `src/a.ts` lines 10–20 it is.", ["src/a.ts:10"]],
    ["**src/a.ts:3** in a list:\n\n- src/b.ts#L4", ["src/a.ts:3", "src/b.ts:4"]],
    ["| file |\n| --- |\n| src/a.ts:3 |", ["src/a.ts:3"]],
    ["`app.ts` and `array.map` and `npm test`", ["app.ts"]],
    ["[src/a.ts:3](https://example.com)", []],
  ])("%j links %j", (text, expected) => expect(linkTitles(render(text, true))).toEqual(expected));

  test.each([
    ["```ts title=src/a.ts\nx\n```", true],
    ["```ts src/a.ts\nx\n```", true],
    ["`src/a.ts`:\n\n```ts\nx\n```", true],
    ["Change src/a.ts so:\n\n```ts\nx\n```", false],
    ["```ts\nx\n```", false],
  ])("%j offers to open: %s", (text, offers) => {
    expect(render(text, true).includes(">Open")).toBe(offers);
    expect(render(text, false)).not.toContain(">Open");
  });
});

test("a viewer gets the same text without file links", () => {
  const text = "See src/a.ts:3 and `src/b.ts:4`.";
  expect(render(text, false)).not.toContain("<button");
  expect(render(text, false).replace(/<[^>]*>/g, "")).toBe(render(text, true).replace(/<[^>]*>/g, ""));
});

describe("a Markdown file", () => {
  const renderFile = (text: string): string =>
    renderToStaticMarkup(
      <StaticMessages messages={en}>
        <MarkdownLinksContext
          value={{
            openPath: () => undefined,
            file: { openLink: () => undefined, openHeading: () => undefined, loadImage: () => Promise.resolve(null) },
          }}
        >
          <Markdown text={text} live={false} />
        </MarkdownLinksContext>
      </StaticMessages>,
    );

  test("links to headings are buttons; in a message they are blocked", () => {
    expect(renderFile("[Part](#part)")).toContain("<button");
    expect(render("[Part](#part)", true)).not.toContain("<button");
    expect(render("[Part](#part)", true)).toContain("(#part)");
  });

  test("images of the project are drawn, also in links; remote ones stay links", () => {
    expect(renderFile("[![Logo](a.png)](https://example.com)")).toMatch(/<a [^>]*><span[^>]*>Logo<\/span><\/a>/);
    expect(renderFile("![Logo](a.png)")).not.toContain("<button");
    expect(renderFile("![Far](https://example.com/a.png)")).not.toContain("<img");
  });

  test("HTML is text", () => {
    expect(renderFile('<img src="x" onerror="run()"><script>run()</script>')).toContain("&lt;script&gt;");
  });
});
