/** Terminal output that could mislead the reader or control the terminal: all of it becomes plain text. */
import { describe, expect, test } from "vitest";
import { createAnsiStripper, stripAnsi } from "./ansi";

const table: readonly (readonly [name: string, written: string, text: string])[] = [
  // writing the clipboard
  ["OSC 52 ended by BEL", "a\x1b]52;c;cm0gLXJmIC8=\x07b", "ab"],
  ["OSC 52 ended by ST", "a\x1b]52;p;cm0gLXJmIC8=\x1b\\b", "ab"],
  ["OSC 52 in eight bits", "a\x9d52;c;cm0=\x9cb", "ab"],
  ["OSC 52 query", "a\x1b]52;c;?\x07b", "ab"],
  // links whose text differs from their target
  ["OSC 8 with another address", "\x1b]8;;http://evil\x1b\\https://good\x1b]8;;\x1b\\", "https://good"],
  ["OSC 8 to a script", "\x1b]8;;javascript:alert(1)\x07ok\x1b]8;;\x07", "ok"],
  ["OSC 8 to a file", "\x1b]8;id=1;file:///etc/passwd\x07ok\x1b]8;;\x07", "ok"],
  // titles, and reports that a terminal would echo as input
  ["a title", "\x1b]0;$(rm -rf /)\x07ok", "ok"],
  ["an icon name", "\x1b]1;x\x07ok", "ok"],
  ["a report of the title", "\x1b]2;rm -rf ~\x07\x1b[21tok", "ok"],
  ["a report of the cursor", "\x1b[6nok", "ok"],
  ["device attributes", "\x1b[c\x1b[>0c\x1b[=cok", "ok"],
  ["a terminal response", "\x1b[?1;2cok", "ok"],
  ["ENQ", "\x05ok", "ok"],
  // device strings
  ["DECRQSS", '\x1bP$q"p\x1b\\ok', "ok"],
  ["sixel", "\x1bPq#0;2;0;0;0~~\x1b\\ok", "ok"],
  ["a user-defined key", "\x1bP0;1|17/726d\x1b\\ok", "ok"],
  ["tmux pass-through", "\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\ok", "ok"],
  ["kitty graphics", "\x1b_Gf=24,s=1,v=1;AAAA\x1b\\ok", "ok"],
  ["APC, PM, SOS", "\x1b_a\x1b\\\x1b^b\x1b\\\x1bXc\x1b\\ok", "ok"],
  ["iTerm files", "\x1b]1337;File=name=eA==:AAAA\x07ok", "ok"],
  // overwriting what was shown
  // As in a terminal, the rest of a longer line remains.
  ["a line that hides another", "rm -rf /\recho ok\n", "echo ok/\n"],
  ["a line that hides all of another", "rm -rf /\r\x1b[Kecho ok\n", "echo ok\n"],
  ["backspaces that hide a word", "rm\b\bls\n", "ls\n"],
  ["erasing the line", "rm -rf /\x1b[2K\rok\n", "ok\n"],
  ["going up and erasing", "first\n\x1b[1A\x1b[2Ksecond\n", "first\nsecond\n"],
  ["clearing the screen", "first\n\x1b[2J\x1b[3J\x1b[Hsecond\n", "first\nsecond\n"],
  ["the other screen", "\x1b[?1049hgone\x1b[?1049lok", "goneok"],
  ["saving and restoring", "\x1b7a\x1b8b\x1b[sc\x1b[ud", "abcd"],
  ["scroll regions and margins", "\x1b[1;1r\x1b[5;5Hok", "ok"],
  ["insert and delete", "\x1b[4h\x1b[9@\x1b[9Pok\x1b[4l", "ok"],
  ["repeat", "a\x1b[9999bok", "aok"],
  ["hidden text", "\x1b[8msecret\x1b[0m", "secret"],
  ["black on black", "\x1b[30;40msecret\x1b[m", "secret"],
  ["line drawing", "\x1b(0lqqk\x1b(Bok", "lqqkok"],
  ["a soft reset", "\x1b[!p\x1bcok", "ok"],
  ["mouse and paste modes", "\x1b[?1000h\x1b[?1006h\x1b[?2004hok\x1b[?2004l", "ok"],
  ["a paste", "\x1b[200~rm\x1b[201~ok", "rmok"],
  // eight bits, broken and endless
  ["CSI in eight bits", "\x9b31mred\x9b0m", "red"],
  ["DCS in eight bits", "\x90q\x9cok", "ok"],
  ["all of C0 and C1", "a\0\x01\x02\x03\x04\x06\x0b\x0c\x0e\x0f\x10\x11\x1a\x80\x84\x85\x8d\x9a\x7fb", "ab"],
  ["an open OSC ends with its line", "\x1b]52;c;AAAA\nok", "\nok"],
  ["an escape in a sequence", "\x1b[31\x1b[32mok", "ok"],
  ["very many parameters", `\x1b[${"1;".repeat(5_000)}mok`, "ok"],
  ["a very long title", `\x1b]0;${"x".repeat(100_000)}\x07ok`, "ok"],
  ["an escape at the end", "ok\x1b", "ok"],
  // harmless text is unchanged
  ["plain words", "git push\n", "git push\n"],
  ["tabs and blank lines", "a\tb\n\n\nc\n", "a\tb\n\n\nc\n"],
  ["text that looks like a sequence", "[31m ]0;t 52;c;", "[31m ]0;t 52;c;"],
  ["a backslash and an e", "\\e[31m \\x1b[0m", "\\e[31m \\x1b[0m"],
  ["other scripts and signs", "中文 é 🙂 שלום", "中文 é 🙂 שלום"],
  ["Windows line ends", "a\r\nb\r\n", "a\nb\n"],
  ["a progress bar", "10%\r20%\rdone\n", "done\n"],
];

describe("terminal output", () => {
  test.each(table)("%s", (_name, written, text) => expect(stripAnsi(written)).toBe(text));

  test("gives the same text however it is split", () => {
    for (const [name, written, text] of table) {
      for (let cut = 0; cut <= Math.min(written.length, 200); cut += 1) {
        const stripper = createAnsiStripper();
        const out = stripper.push(written.slice(0, cut)) + stripper.push(written.slice(cut)) + stripper.end();
        if (out !== text) expect(out, `${name} cut at ${cut}`).toBe(text);
      }
    }
  });

  test("gives the same text split at any byte, including invalid UTF-8", () => {
    const parts = [
      Buffer.from("é🙂\x1b]52;c;eA==\x07中\x1b[31mx"),
      Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
      Buffer.from("\r\x1b[Kok\n"),
    ];
    const bytes = Buffer.concat(parts);
    const read = (pieces: readonly Uint8Array[]): string => {
      const decoder = new TextDecoder();
      const stripper = createAnsiStripper();
      const out = pieces.map((piece) => stripper.push(decoder.decode(piece, { stream: true }))).join("");
      return out + stripper.push(decoder.decode()) + stripper.end();
    };
    const whole = read([bytes]);
    expect(whole).toBe("ok\n");
    expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toBe(whole);
    for (let cut = 0; cut <= bytes.length; cut += 1)
      expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toBe(whole);
  });
});
