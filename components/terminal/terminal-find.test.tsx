// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { enLate } from "../messages/en-late";
import { testClient } from "../shell/frame/test-render";
import { renderForUser } from "../shell/frame/test-dom";
import { TerminalFind } from "./terminal-find";

test("the bar shows the position among the matches, or that there is none", async () => {
  const user = await renderForUser(
    testClient(),
    <TerminalFind
      onFind={(query) => ({ total: "walrus".includes(query) ? 1_000 : 0, position: query.length === 1 ? 3 : 0 })}
      onClose={() => {}}
    />,
  );
  const field = screen.getByRole("textbox", { name: enLate.terminal.find });
  const status = (): string => screen.getByRole("status").textContent;
  await user.type(field, "w");
  expect(status()).toBe(enLate.terminal.matchCount(3, 1_000));
  await user.type(field, "alr");
  expect(status()).toBe(enLate.terminal.manyMatches(1_000));
  await user.type(field, "x");
  expect(status()).toBe(enLate.terminal.noMatch);
  await user.type(field, "{Backspace}");
  expect(status()).toBe(enLate.terminal.manyMatches(1_000));
  await user.type(field, "x");
  await user.clear(field);
  expect(status()).toBe("");
});
