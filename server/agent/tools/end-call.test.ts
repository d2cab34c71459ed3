import { describe, expect, it } from "vitest";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { selectNotices } from "./end-call";

const notice = (words: number) =>
  ({ type: "context", kind: "notice", topic: "shell", text: "word ".repeat(words).trim() }) as const;
/** Tokens of a notice in the prompt: its text and the 16 of its element. */
const tokensOf = ({ text }: { readonly text: string }): number => estimateTokens(text) + 16;

describe("the notices of a result", () => {
  const short = notice(20);
  const long = notice(200);

  it("take at most half of its tokens", () => {
    const fits = 2 * tokensOf(long);
    expect(selectNotices([long], fits)).toEqual({ blocks: [long], tokens: tokensOf(long) });
    expect(selectNotices([long], fits - 1)).toEqual({ blocks: [], tokens: 0 });
  });

  it("take half together, not half each", () => {
    const fits = 2 * (tokensOf(short) + tokensOf(long));
    expect(selectNotices([short, long], fits).blocks).toEqual([short, long]);
    expect(selectNotices([short, long], fits - 1).blocks).toEqual([short]);
  });

  it("leave out one that does not fit and include a shorter one after it", () => {
    expect(selectNotices([long, short], 2 * tokensOf(short))).toEqual({ blocks: [short], tokens: tokensOf(short) });
  });
});
