/** Names of the text encodings, which are the same in each language of the interface. */
import type { TextEncoding } from "./project-files";

const encodingNames: { readonly [E in TextEncoding]: string } = {
  utf8: "UTF-8",
  "utf8-bom": "UTF-8 BOM",
  utf16le: "UTF-16 LE",
  utf16be: "UTF-16 BE",
  "utf16le-bare": "UTF-16 LE",
  "utf16be-bare": "UTF-16 BE",
  gb18030: "GB18030",
  gbk: "GBK",
  big5: "Big5",
  "shift-jis": "Shift_JIS",
  "euc-kr": "EUC-KR",
  "windows-1252": "Windows-1252",
  "windows-1251": "Windows-1251",
};

export const encodingName = (encoding: TextEncoding): string => encodingNames[encoding];
