import { RuleTester } from "eslint";
import typescript from "typescript-eslint";
import { describe, it } from "vitest";
import { messages, messageWords } from "./messages.mjs";

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

tester.run("gopi/message-words", messageWords, {
  valid: [
    'const text = { undone: "Undone: 1 file", redo: "Redo…", waited: (time) => `${time} for you` };',
    'const text = { git: "其中的设置可能会运行程序。", details: "Time to first token" };',
  ],
  invalid: [
    'const text = "Undid the changes to 1 file";',
    'const text = "Bring the changes back…";',
    'const text = "Undo again…";',
    'const text = "找回这些更改…";',
    'const text = "runs a program";',
    'const text = "运行程序";',
    "const text = (worked, waited) => `${worked}, waited ${waited}`;",
    "const text = (worked, waited) => `${worked}，等待 ${waited}`;",
    "const text = (duration) => `first token ${duration}`;",
    'const text = "This folder isn\'t trusted yet, so git stays off.";',
    'const text = "Enter queues this";',
    'const text = "Not sent: you\'re offline.";',
    'const text = "After your next message";',
  ].map((code) => ({ code, errors: [{ messageId: "replaced" }] })),
});
