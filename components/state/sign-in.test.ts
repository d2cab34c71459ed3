import { expect, test } from "vitest";
import { tokenIn } from "./sign-in";

test.each([
  ["http://localhost:4674/#token=abc-_123", "abc-_123"],
  ["#token=abc", "abc"],
  ["  http://localhost:4674/s/x#a=1&token=a%2Bb \n", "a+b"],
  ["0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"],
  ["", null],
  ["#", null],
  ["#token=", null],
  ["#token=%E0%A4%A", null],
  ["hello there", null],
  ["short", null],
  ["http://localhost:4674/", null],
])("%j holds the token %j", (text, token) => {
  expect(tokenIn(text)).toBe(token);
});
