/**
 * Guesses the encoding of bytes that are not UTF-8: each candidate decodes a sample, and the one whose characters are
 * most typical of its language wins. Pure.
 */
import { runSteps, type Steps } from "@/lib/async/steps";
import type { LegacyEncoding } from "@/lib/workspace/project-files";
import { buildLegacyTables, decodeLegacy, legacyCharacterCode } from "./legacy-encodings";

const toCharSet = (chars: string): ReadonlySet<string> => new Set(chars);

/** The most frequent characters of each language, in prose and in program comments. */
const commonCharacters = {
  simplified: toCharSet(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运测试文件函数返回参数配置错误处理用户数据输入输出初始读写取值码址页面请求服务器密令注释默认版更删除添加列表名称编译代码使用检查启动登录",
  ),
  traditional: toCharSet(
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運測試檔案函數返回參數設定錯誤處理使用者資料輸入輸出讀寫網頁請求伺服器密碼註解預設版本刪除新增清單名稱編譯程式碼檢查啟動登入您好灣臺",
  ),
  japanese: toCharSet(
    "日本人大年出会社株式表示設定読込書入力削除追加変更保存実行処理時間名前文字列数値取得結果確認画面使用方法一二三国中上下生学事見行来思言気今自分手目子的方場合動作対象検索一覧登録終了開始成功失敗情報関理用語新内部外要不可必機能注意説明東京都市株",
  ),
  korean: toCharSet(
    "이다는의에을를가고하은지한로기사자인그나도어시대리서해정수일과아라만부전제장주으면들게원상성스여보소구공동선안니유신조우진연국회문용트세경화비위간방년무내관생중모적분당미교물거실산단업결할런러음개발건양했습였있없것때던른든말라데이터오류파일함수입출력값설정반환처리버튼사용읽쓰추저삭목록검색요청응답테스트초초합니까녕하십세요네야와저번호키큰며려되된될로그확인변경새름길글행열줄",
  ),
} as const;

/** In order of preference for equal scores. */
const candidateEncodings: readonly LegacyEncoding[] = [
  "gbk",
  "gb18030",
  "big5",
  "shift-jis",
  "euc-kr",
  "windows-1252",
  "windows-1251",
];

/** Maximum characters scored, and the sample size in bytes. */
const sampleChars = 4_000;
const sampleBytes = 16_384;
/** Minimum score; below it the bytes are not text in that encoding. */
const minScore = 0;

/** Returns the best encoding and the decoded text; null if no candidate yields text. */
export function guessEncoding(bytes: Buffer): { readonly encoding: LegacyEncoding; readonly text: string } | null {
  for (const encoding of runSteps(rankEncodingsInSteps(bytes))) {
    const text = decodeLegacy(bytes, encoding);
    if (text !== null) return { encoding, text };
  }
  return null;
}

/** Returns the encodings that a sample of the bytes may be in, the likely ones first. */
export function* rankEncodingsInSteps(bytes: Buffer): Steps<readonly LegacyEncoding[]> {
  yield* buildLegacyTables();
  const sample = sampleText(bytes);
  const scored: { readonly encoding: LegacyEncoding; readonly score: number }[] = [];
  for (const encoding of candidateEncodings) {
    const score = scoreEncoding(sample, encoding);
    if (score >= minScore) scored.push({ encoding, score });
    yield;
  }
  return scored.sort((left, right) => right.score - left.score).map(({ encoding }) => encoding);
}

/** Returns whole lines from the first non-ASCII one. In these encodings a line feed is never part of a character. */
export function sampleText(bytes: Buffer): Buffer {
  if (bytes.length <= sampleBytes) return bytes;
  let first = 0;
  while (first < bytes.length && (bytes[first] ?? 0) < 0x80) first += 1;
  const from = bytes.lastIndexOf(0x0a, first) + 1;
  const end = bytes.lastIndexOf(0x0a, from + sampleBytes);
  // No line end: cut anywhere; the broken end costs each candidate at most one invalid character.
  return end > from ? bytes.subarray(from, end) : bytes.subarray(from, from + sampleBytes);
}

/**
 * Minimum share of frequent characters among ideographs and syllables; below it the text is likely numbers that
 * decode by chance.
 */
const commonShare = 0.25;

/** Returns whether the ideographs and syllables of a text are typical; true if it has none. */
export function isTypicalText(text: string): boolean {
  const found = text.match(/[\u3400-\u9FFF\uAC00-\uD7A3]/g) ?? [];
  const usual = found.filter((char) => Object.values(commonCharacters).some((chars) => chars.has(char)));
  return usual.length >= found.length * commonShare;
}

/** Returns the mean score of the non-ASCII characters, about -3 to 3; -Infinity if the bytes cannot be decoded. */
function scoreEncoding(sample: Buffer, encoding: LegacyEncoding): number {
  const text = decodeLegacy(sample, encoding);
  if (text === null) return Number.NEGATIVE_INFINITY;
  if (encoding === "windows-1252") return meanScore(text, scoreWestern);
  if (encoding === "windows-1251") return meanScore(text, scoreCyrillic);
  // GB18030 is preferred only for characters GBK lacks.
  const less = encoding === "gb18030" ? 0.01 : 0;
  const worth = scoreByEncoding[encoding];
  return (
    meanScore(
      text,
      (char, before, after) => worth(char, legacyCharacterCode(char, encoding) ?? 0) - gluedPenalty(before, after),
    ) - less
  );
}

type CharacterScore = (char: string, before: string, after: string) => number;

function meanScore(text: string, worth: CharacterScore): number {
  let sum = 0;
  let count = 0;
  for (const match of text.matchAll(/[^\x00-\x7f]/gu)) {
    const [char] = match;
    sum += worth(
      char,
      text.slice(Math.max(0, match.index - 2), match.index),
      text.slice(match.index + char.length, match.index + char.length + 2),
    );
    count += 1;
    if (count >= sampleChars) break;
  }
  return count === 0 ? 0 : sum / count;
}

/**
 * Returns the penalty for an ideograph or syllable inside a Latin word: likely two accented letters. `A级` and `x轴` at
 * a word's end cost less.
 */
function gluedPenalty(before: string, after: string): number {
  const [isBehind, isBefore] = [isAsciiLetter(before.at(-1) ?? ""), isAsciiLetter(after[0] ?? "")];
  if (isBehind && isBefore) return 2;
  return isBehind && !isNonAscii(after[0] ?? "") ? 0.5 : 0;
}

const isKana = (char: string): boolean => /[\u3041-\u30FE]/.test(char);
const isPunctuation = (char: string): boolean => /[、。，．：；？！「」『』（）《》〈〉【】“”‘’…—·～￥　]/.test(char);
const isFullWidth = (char: string): boolean => /[\uFF01-\uFF5E]/.test(char);

type EncodingCharacterScore = (char: string, code: number) => number;

const scoreChinese: EncodingCharacterScore = (char, code) => {
  if (commonCharacters.simplified.has(char)) return 3;
  if (isPunctuation(char) || isFullWidth(char)) return 2;
  const trail = code & 0xff;
  if (code < 0x100) return char === "€" ? 0 : -2;
  // GB 2312 orders its first level by frequency; all other characters are rare.
  if (trail >= 0xa1 && code >= 0xb000 && code < 0xd800) return 1;
  if (trail >= 0xa1 && code >= 0xd800 && code < 0xf800) return -0.3;
  return /\p{Script=Han}/u.test(char) ? -2 : -1;
};

const scoreByEncoding: {
  readonly [E in Exclude<LegacyEncoding, "windows-1252" | "windows-1251">]: EncodingCharacterScore;
} = {
  gbk: scoreChinese,
  gb18030: (char, code) => (code === 0 ? 0.5 : scoreChinese(char, code)),
  big5(char, code) {
    if (commonCharacters.traditional.has(char)) return 3;
    if (isPunctuation(char) || isFullWidth(char)) return 2;
    if (code >= 0xa440 && code < 0xc67f) return 1;
    return code >= 0xc940 && code < 0xf9d6 ? -1 : -1.5;
  },
  "shift-jis"(char, code) {
    if (/[\uFF61-\uFF9F]/.test(char)) return -0.5;
    if (isKana(char)) return 3;
    if (isPunctuation(char) || isFullWidth(char)) return 2;
    if (commonCharacters.japanese.has(char)) return 3;
    if (code >= 0x889f && code < 0x9873) return 0.8;
    if (code < 0x889f) return -0.3;
    return code >= 0x989f && code < 0xeaa5 ? -1 : -1.5;
  },
  "euc-kr"(char, code) {
    if (commonCharacters.korean.has(char)) return 3;
    if (/[\uAC00-\uD7A3]/.test(char)) return (code & 0xff) >= 0xa1 ? 1 : -0.5;
    return isPunctuation(char) ? 1 : -1.5;
  },
};

const isAsciiLetter = (char: string): boolean => /^[A-Za-z]$/.test(char);
const isNonAscii = (char: string): boolean => char > "\x7f";

const umlauts = /^[äöüßÄÖÜ]$/;

/**
 * Returns whether the character belongs to a list of umlauts as in German programs (`[äöüß]`): no other encoding
 * forms words of these bytes.
 */
const isUmlautRun = (char: string, last: string, next: string): boolean =>
  [char, last, next].every((one) => !isNonAscii(one) || umlauts.test(one)) && char !== last && char !== next;

/** Accented letters occur singly between plain ones; two or more in a row indicate another encoding. */
const scoreWestern: CharacterScore = (char, before, after) => {
  const last = before.at(-1) ?? "";
  const [next = ""] = after;
  const crowd =
    Number(isNonAscii(last)) +
    Number(isNonAscii(next)) +
    Number(isNonAscii(last) && isNonAscii(before.at(-2) ?? "")) +
    Number(isNonAscii(next) && isNonAscii(after[1] ?? ""));
  if (/[\x80-\x9f]/.test(char)) return -3;
  if (crowd > 0 && isUmlautRun(char, last, next)) return 2.5;
  if (crowd > 1) return -1.5;
  // "¿" and "¡" before a word, "°" before a unit.
  if (/[¡¿]/.test(char) && /^\p{L}/u.test(next)) return 2.5;
  if (char === "°" && /[\d ]/.test(last) && /[CFK]/.test(next)) return 2.5;
  if (/\p{Ll}/u.test(char)) return crowd > 0 ? 1 : isAsciiLetter(last) || isAsciiLetter(next) ? 2.5 : 1;
  if (/\p{Lu}/u.test(char)) return /[a-z]/.test(last) ? -1.5 : isAsciiLetter(next) || isAsciiLetter(last) ? 2 : 0;
  return /[“”‘’„‚–—…«»€£§©®°·•™±¿¡ªº½¼²³ ]/.test(char) ? 1 : -0.5;
};

const scoreCyrillic: CharacterScore = (char, before, after) => {
  const last = before.at(-1) ?? "";
  const [next = ""] = after;
  // Likely an accented letter of a Latin word.
  if (isAsciiLetter(last) || isAsciiLetter(next)) return -1.5;
  if (/[а-яё]/.test(char)) return /[А-Яа-яЁё]/.test(last) || /[а-яё]/.test(next) ? 2.2 : 0.5;
  if (/[А-ЯЁ]/.test(char)) return /[а-яё]/.test(last) ? -2 : /[А-Яа-яё]/.test(next) ? 1.5 : -0.5;
  if (/\p{Script=Cyrillic}/u.test(char)) return -0.5;
  return /[«»—–…№“”„° ]/.test(char) ? 1 : -1;
};
