import { RuleTester } from "eslint";
import typescript from "typescript-eslint";
import { describe, it } from "vitest";
import { messages } from "./messages.mjs";

RuleTester.describe = describe;
RuleTester.it = it;
const tester = new RuleTester({
  languageOptions: { parser: typescript.parser, parserOptions: { ecmaFeatures: { jsx: true } } },
});

tester.run("gopi/messages", messages, {
  valid: [
    "<p>{messages.send}</p>",
    "<p>{count} · {total} %</p>",
    "<p>\n  <b />\n</p>",
    '<p className="text-muted" data-state="open" id="send" />',
    "<button aria-label={messages.close} title={messages.close} />",
    "<p>{isOpen ? messages.open : messages.closed}</p>",
    "<p>{isOpen && <b>{messages.open}</b>}</p>",
    '<p style={{ color: "red" }} />',
    '<Icon name="send" />',
    "<p>{`${count}/${total}`}</p>",
  ],
  invalid: [
    "<p>Send</p>",
    "<p>发送</p>",
    '<p>{"Send"}</p>',
    "<p>{`Sent ${count} times`}</p>",
    '<p>{isOpen ? "Open" : messages.closed}</p>',
    '<p>{isOpen && "Open"}</p>',
    "<>Send</>",
    '<button aria-label="Close" />',
    '<button title={"Close"} />',
    '<input placeholder="Ask" />',
    '<img alt="Logo" />',
  ].map((code) => ({ code, errors: [{ messageId: "literal" }] })),
});
