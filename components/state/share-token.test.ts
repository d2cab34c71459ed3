import { expect, test } from "vitest";
import { keptIn, shareTokenIn } from "./share-token";

const token = "Ab3_-xyzAb3_-xyzAb3_-x";

test("parses the token in the fragment of a link", () => {
  expect(shareTokenIn(`#${token}`)).toBe(token);
});

test.each(["", "#", "#short", `#${token}/more`, `#token=${token}`, `#${"a".repeat(201)}`])(
  "%s holds no token",
  (fragment) => expect(shareTokenIn(fragment)).toBeNull(),
);

test("a history entry stores the token of its link until the link is over", () => {
  expect(keptIn({ gopiShare: token })).toEqual({ token });
  expect(keptIn({ gopiShare: "over" })).toBe("over");
});

test.each([null, undefined, "text", {}, { gopiShare: 7 }, { gopiShare: "no token" }])(
  "an entry with %j holds nothing of a link",
  (state) => expect(keptIn(state)).toBeNull(),
);
