/** Files in legacy encodings: decoded correctly, encoded byte for byte, and never silently converted. */
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LegacyEncoding, TextEncoding } from "@/lib/workspace/project-files";
import { decodeText, encodeText } from "./text-encoding";

/** Encodes text with iconv, an independent reference. */
const iconvNames: { readonly [E in LegacyEncoding]: string } = {
  "windows-1252": "CP1252",
  "windows-1251": "CP1251",
  gbk: "GBK",
  gb18030: "GB18030",
  big5: "BIG5",
  "shift-jis": "CP932",
  "euc-kr": "CP949",
};
const iconv = (text: string, encoding: LegacyEncoding): Buffer =>
  execFileSync("iconv", ["-f", "UTF-8", "-t", iconvNames[encoding]], { input: text });

const texts: { readonly [E in LegacyEncoding]: readonly string[] } = {
  "windows-1252": [
    "café",
    "Straße\r\n",
    "“quoted” – dash",
    "El niño comió piñas",
    "Ärger über Öl",
    "100 €",
    "ÜBERSICHT",
    "l’été",
  ],
  "windows-1251": ["Привет, мир", "// Чтение файла конфигурации\n", "Ошибка: файл не найден"],
  gbk: [
    "你好",
    "// 读取配置文件\nint main() { return 0; }\n",
    "错误：文件不存在",
    "# 版本 1.2\r\n作者: 张三\r\n",
    "春眠不觉晓，处处闻啼鸟。",
  ],
  gb18030: ["你好 😀\n", "㐀㐁 汉字测试"],
  big5: ["你好", "中文測試", "// 讀取設定檔\r\n", "錯誤：檔案不存在", "功能說明"],
  "shift-jis": [
    "こんにちは",
    "// 設定ファイルを読み込む\n",
    "エラー：ファイルが見つかりません",
    "表示 ソース 能力",
    "①②③ 株式会社",
    "ｱｲｳｴｵ テスト",
  ],
  "euc-kr": ["안녕하세요", "// 설정 파일을 읽는다\n", "오류: 파일이 없습니다", "똠방각하 펲시콜라"],
};
const cases = Object.entries(texts).flatMap(([encoding, list]) => list.map((text) => [encoding, text] as const));

function valueOf<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: object },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
const isLegacy = (encoding: string): encoding is LegacyEncoding => encoding in texts;

test.each(cases)("%s: %j is decoded, and encoded back to the same bytes", (encoding, text) => {
  if (!isLegacy(encoding)) throw new Error(encoding);
  const bytes = iconv(text, encoding);
  expect(valueOf(decodeText(bytes))).toMatchObject({ text, encoding });
  expect(valueOf(encodeText(text, encoding))).toEqual(bytes);
});

test("detects the encoding of a long file after ASCII lines and decodes it to its end", () => {
  const code = "const x = 1; // plain\n".repeat(5_000);
  const bytes = Buffer.concat([Buffer.from(code), iconv("// 读取配置文件\n".repeat(2_000), "gbk"), Buffer.from(code)]);
  expect(valueOf(decodeText(bytes)).encoding).toBe("gbk");
});

describe("UTF-16 without a byte order mark", () => {
  test.each([
    ["plain text", "int main() {}\r\n"],
    ["Chinese", "第一行：你好。\n第二行：再见。\n"],
    ["Cyrillic", "Привет, мир\n"],
    ["an emoji", "ok 😀\n"],
  ])("%s is read in both byte orders", (_name, text) => {
    const little = Buffer.from(text, "utf16le");
    const orders: readonly (readonly [TextEncoding, Buffer])[] = [
      ["utf16le-bare", little],
      ["utf16be-bare", Buffer.from(little).swap16()],
    ];
    for (const [encoding, bytes] of orders) {
      expect(valueOf(decodeText(bytes))).toMatchObject({ text, encoding });
      expect(valueOf(encodeText(text, encoding))).toEqual(bytes);
    }
  });

  test.each([
    ["numbers of two bytes", Buffer.from(Uint16Array.from({ length: 64 }, (_, index) => index).buffer)],
    ["numbers of four bytes", Buffer.from(Uint32Array.from({ length: 64 }, (_, index) => index * 7_919).buffer)],
    ["zeros", Buffer.alloc(100)],
    ["text with a NUL", Buffer.from("ab\0cd!")],
  ])("%s are no text", (_name, bytes) => {
    expect(decodeText(bytes)).toMatchObject({ ok: false, error: { code: "binary" } });
  });
});

describe("characters missing in the encoding", () => {
  test.each<[LegacyEncoding, string, string, number]>([
    ["windows-1252", "é\nок", "о", 2],
    ["gbk", "你好\n\n😀", "😀", 3],
    ["big5", "简", "简", 1],
    ["shift-jis", "한", "한", 1],
    ["euc-kr", "a\n😀", "😀", 2],
    ["windows-1251", "日", "日", 1],
  ])("%s: %j is refused with the character and its line", (encoding, text, character, line) => {
    expect(encodeText(text, encoding)).toMatchObject({
      ok: false,
      error: { code: "unencodable", facts: { encoding, character, line } },
    });
  });

  test("GB18030 has all characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
        const encoded = encodeText(text.replace(/\p{Surrogate}/gu, ""), "gb18030");
        return encoded.ok;
      }),
    );
  });
});

test("arbitrary bytes that decode as text encode back to the same bytes", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.uint8Array({ min: 0x80, max: 0xff, maxLength: 60 }),
    fc.array(fc.constantFrom(0x0a, 0x20, 0x41, 0x81, 0x82, 0xa0, 0xa4, 0xb0, 0xc4, 0xe3, 0xed, 0xfa), {
      maxLength: 80,
    }),
  );
  fc.assert(
    fc.property(bytes, (list) => {
      const file = Buffer.from(Uint8Array.from(list));
      const read = decodeText(file);
      if (read.ok) expect(valueOf(encodeText(read.value.text, read.value.encoding))).toEqual(file);
    }),
    { numRuns: 2_000 },
  );
});
