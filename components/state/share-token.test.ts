import { expect, test } from "vitest";
import { shareTokenIn } from "./share-token";

const token = "Ab3_-xyzAb3_-xyzAb3_-x";

test("the fragment of a link is its token", () => {
  expect(shareTokenIn(`#${token}`)).toBe(token);
});

test.each(["", "#", "#short", `#${token}/more`, `#token=${token}`, `#${"a".repeat(201)}`])(
  "%s holds no token",
  (fragment) => expect(shareTokenIn(fragment)).toBeNull(),
);
