import { expect, test } from "vitest";
import { parseHistoryState, parseShareToken } from "./share-token";

const token = "Ab3_-xyzAb3_-xyzAb3_-x";

test("parses the token in the fragment of a link", () => {
  expect(parseShareToken(`#${token}`)).toBe(token);
});

test.each(["", "#", "#short", `#${token}/more`, `#token=${token}`, `#${"a".repeat(201)}`])(
  "%s holds no token",
  (fragment) => expect(parseShareToken(fragment)).toBeNull(),
);

test("a history entry stores the token of its link until the link is over", () => {
  expect(parseHistoryState({ gopiShare: token })).toEqual({ token });
  expect(parseHistoryState({ gopiShare: "over" })).toBe("over");
});

test.each([null, undefined, "text", {}, { gopiShare: 7 }, { gopiShare: "no token" }])(
  "an entry with %j holds nothing of a link",
  (state) => expect(parseHistoryState(state)).toBeNull(),
);
