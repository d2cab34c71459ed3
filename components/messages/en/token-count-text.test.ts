import { expect, test } from "vitest";
import { tokenCountText } from "./token-count-text";

test.each([
  ["0", "0 tokens"],
  ["1", "1 token"],
  ["11", "11 tokens"],
  ["1k", "1k tokens"],
])("%s: %s", (tokens, text) => expect(tokenCountText(tokens)).toBe(text));
