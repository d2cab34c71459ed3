import { expect, test } from "vitest";
import { makeLastUse } from "./last-use";

test("what a person does counts, not what a page sends by itself", () => {
  let now = 1;
  const use = makeLastUse(() => now);
  now = 2;
  for (const command of ["models.watch", "app.welcome", "files.watch", 7]) use.note(command);
  expect(use.at()).toBe(1);
  use.note("session.send");
  expect(use.at()).toBe(2);
});
