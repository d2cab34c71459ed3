// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import * as enLate from "../messages/en-late";
import { testClient } from "../shell/frame/test-render";
import { renderForUser } from "../shell/frame/test-dom";
import { TerminalFind } from "./terminal-find";
import type { TerminalFindRequest } from "./terminal-search";

const text = enLate.editor.find;

async function renderFind() {
  const requests: (TerminalFindRequest | null)[] = [];
  const user = await renderForUser(
    testClient(),
    <TerminalFind
      onFind={(request) => {
        requests.push(request);
        const total = [..."walrus Walrus".matchAll(request?.pattern ?? /$never/gu)].length;
        request?.report({ total, isComplete: true, position: Math.min(total, 1) });
      }}
      onClose={() => {}}
    />,
  );
  const field = screen.getByRole("textbox", { name: enLate.terminal.find });
  return { user, field, requests, status: (): string => screen.getByRole("status").textContent };
}

test("the bar shows the position among the matches, or that there is none", async () => {
  const { user, field, requests, status } = await renderFind();
  await user.type(field, "w");
  expect(status()).toBe(text.count(1, "2"));
  act(() => requests.at(-1)?.report({ total: 10_000, isComplete: false, position: 0 }));
  expect(status()).toBe(text.count(0, text.more("10,000")));
  await user.type(field, "x");
  expect(status()).toBe(text.none);
  await user.clear(field);
  expect(status()).toBe("");
  expect(requests.at(-1)).toBeNull();
});

test("options are toggled by pointer and shortcut", async () => {
  const { user, field, requests, status } = await renderFind();
  await user.type(field, "w");
  await user.click(screen.getByRole("button", { name: text.caseSensitive }));
  expect(status()).toBe(text.count(1, "1"));
  expect(document.activeElement).toBe(field);
  await user.keyboard("{Alt>}w{/Alt}");
  expect(status()).toBe(text.none);
  // There is no option for expressions.
  await user.keyboard("{Alt>}r{/Alt}");
  expect(screen.queryByRole("button", { name: text.regex })).toBeNull();
  await user.clear(field);
  expect(requests.at(-1)).toBeNull();
});
