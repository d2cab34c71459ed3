import { RuleTester } from "eslint";
import typescript from "typescript-eslint";
import { describe, it } from "vitest";
import { words } from "./words.mjs";

RuleTester.describe = describe;
RuleTester.it = it;
const tester = new RuleTester({
  languageOptions: { parser: typescript.parser, parserOptions: { ecmaFeatures: { jsx: true } } },
});

tester.run("house/words", words, {
  valid: [
    "<p>{words.send}</p>",
    "<p>{count} · {total} %</p>",
    "<p>\n  <b />\n</p>",
    '<p className="text-muted" data-state="open" id="send" />',
    "<button aria-label={words.close} title={words.close} />",
    "<p>{isOpen ? words.open : words.closed}</p>",
    "<p>{isOpen && <b>{words.open}</b>}</p>",
    '<p style={{ color: "red" }} />',
    '<Icon name="send" />',
    "<p>{`${count}/${total}`}</p>",
  ],
  invalid: [
    "<p>Send</p>",
    "<p>发送</p>",
    '<p>{"Send"}</p>',
    "<p>{`Sent ${count} times`}</p>",
    '<p>{isOpen ? "Open" : words.closed}</p>',
    '<p>{isOpen && "Open"}</p>',
    "<>Send</>",
    '<button aria-label="Close" />',
    '<button title={"Close"} />',
    '<input placeholder="Ask" />',
    '<img alt="Logo" />',
  ].map((code) => ({ code, errors: [{ messageId: "literal" }] })),
});
