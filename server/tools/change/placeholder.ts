/**
 * Detects lines a model wrote instead of code it meant to retain ("... existing code ..."); edit and write refuse
 * them. Pure.
 */
import type { Steps } from "@/lib/async/steps";

/** Lines between two yields. */
const linesPerStep = 512;

/** Comment signs, brackets and quotes around the words of a line. */
const openingSigns = /^(?:(?:todo|note)\b\s*:|\/\/+|\/\*+|\{\/\*+|<!--|#+|--+|;+|%+|\*+|"""|'''|[[({<])\s*/i;
const closingSigns = /\s*(?:\*+\/\}?|-->|#+|"""|'''|[\])}>])$/;
const ellipsis = /\.{3,}|…+/;

const codePartNouns =
  "(?:code|file|function|functions|method|methods|class|classes|component|components|implementation|implementations|content|contents|logic|imports|module|script|body|lines|text|section|sections|document|tests|fields|properties|props|rules|styles|entries|items|routes|handlers|query|queries|table|template|markup|jsx|html|configuration|config)";
/** Words that may follow if the remark only states that something is left out. */
const remarkTail =
  "(?: (?:here|above|below|goes here|continues|remains?|stays?|is|are|unchanged|untouched|as is|as before|the same|as it was|follows|omitted|kept|for brevity))*$";
/** Remarks that state an omission even without dots. */
const plainRemark = new RegExp(
  [
    `^(?:the )?(?:rest|remainder) of (?:the |this |your |our )?(?:existing |original |previous )?(?:\\w+ )?${codePartNouns}${remarkTail}`,
    `^(?:the |your |my |all )?(?:existing|remaining|previous|original|unchanged|unmodified|same) (?:\\w+ )?${codePartNouns}${remarkTail}`,
    `^(?:the )?(?:rest|everything else|all else|other ${codePartNouns}) (?:is |are |remains? |stays? )?(?:the same|unchanged|as is|as before|omitted)`,
    `^(?:the )?${codePartNouns} (?:remains? |stays? |is |are )?(?:unchanged|the same|as before|omitted)(?: for brevity)?$`,
    "^(?:same as (?:before|above|original)|no changes?(?: here)?|unchanged|omitted for brevity)$",
    `^keep (?:the |your |all )*(?:rest|existing|everything|other|remaining)(?: (?:of|the|this|else|${codePartNouns}))*${remarkTail}`,
    "^(?:此处|此處)?(?:其余|其他|其它|剩余|剩下|现有|已有|原有|原来|之前|其餘|剩餘|現有|原來)的?(?:代码|内容|部分|文件|逻辑|实现|方法|函数|程式碼|內容|檔案|邏輯|實作|函式).{0,12}$",
    "^(?:以下|以上|此处|此處|这里|這裡|后面|後面|代码|程式碼)?(?:保持不变|保持不變|省略|不变|不變|与之前相同|與之前相同|同上)(?:代码|内容|程式碼|內容)?$",
    "^(?:残り|以降|既存|その他)の(?:コード|部分|処理|実装|関数)(?:は|を)?.{0,10}$",
    "^(?:나머지|기존|이전) ?(?:코드|부분|내용|함수)(?:는|은|를|을)?.{0,12}$",
    "^(?:der )?(?:rest|restliche[rs]? \\S+|bestehende[rs]? code|übrige[rs]? code)(?: des codes| der datei)?(?: bleibt| ist)? (?:unverändert|gleich|wie (?:zuvor|bisher|vorher))$",
    "^(?:le )?reste du (?:code|fichier)(?: (?:reste |est )?(?:inchangé|identique))?$",
    "^(?:el )?resto del (?:código|archivo)(?: (?:sin cambios|permanece igual|sigue igual|existente))?$",
    "^(?:o )?(?:resto|restante) do (?:código|arquivo)(?: (?:permanece|fica|continua))?(?: igual| inalterado| sem alterações)?$",
    "^(?:il )?resto del (?:codice|file)(?: (?:rimane|resta))?(?: invariato| uguale)?$",
    "^(?:остальной код|остальная часть (?:кода|файла))(?: .{0,24})?$",
  ].join("|"),
  "iu",
);
/** Words that state an omission only together with dots. */
const dottedRemark = new RegExp(
  [
    "\\b(?:rest|remain\\w*|existing|unchanged|same|previous|prior|other|others|omitted|original|continues?|keep|more|before|above|below|as is|code|implementation)\\b",
    "其余|其他|其它|剩余|剩下|现有|已有|原有|原来|之前|不变|省略|更多|代码|其餘|剩餘|現有|原來|不變|程式碼",
    "既存|残り|変更なし|コード|기존|나머지|생략|코드",
    "bestehend|unverändert|restlich|existant|inchangé|existente|permanece|sin cambios|esistente|invariato|остальн|существующ|без изменений",
  ].join("|"),
  "iu",
);
/** Remark between dots in the middle of a line of code. */
const inlineRemark = /(?<=^|[\s{(\[])(?:\.{3,}|…+)\s+([^.…{}()=;,"'`]{3,60}?)\s+(?:\.{3,}|…+)(?=$|[\s})\]])/gu;
const inlineRemarkWords = /\b(?:existing|unchanged|omitted)\b|其余|省略|现有|不变|其餘|現有|不變|既存|기존/iu;

const hasInlineRemark = (line: string): boolean =>
  [...line.matchAll(inlineRemark)].some(([, words = ""]) => inlineRemarkWords.test(words) || plainRemark.test(words));

/** Returns the words of a line without comment signs, or null if it is no comment, bracketed remark or dots. */
function parseRemark(line: string): { readonly words: string; readonly dotted: boolean } | null {
  let words = line.trim();
  let wrapped = false;
  for (let next = words.replace(openingSigns, ""); next !== words; next = words.replace(openingSigns, "")) {
    words = next;
    wrapped = true;
  }
  words = words.replace(closingSigns, "").replace(closingSigns, "");
  const dotted = ellipsis.test(words);
  const edges = /^(?:\.{3,}|…+)|(?:\.{3,}|…+)$/.test(words.trim());
  if (!wrapped && (!edges || isSpreadSyntax(words))) return null;
  return {
    words: words
      .replaceAll(new RegExp(ellipsis, "g"), " ")
      .replaceAll(/[()[\]]/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim()
      .replace(/[.:。]$/, ""),
    dotted,
  };
}

/**
 * Returns whether the text is spread syntax (`...rest,`, `...(more ?? []),`): one word after the dots, or signs no
 * remark has.
 */
const isSpreadSyntax = (text: string): boolean => /^\.{3}\S*$/.test(text) || /^\.{3}\S.*[(){}=;,?]/.test(text);

/**
 * Returns whether the line replaces omitted code. A lone `...` is code in Python and spread syntax is code: neither
 * counts.
 */
function isPlaceholder(line: string): boolean {
  if (line.length > 200) return false;
  if (hasInlineRemark(line)) return true;
  const found = parseRemark(line);
  if (found === null) return false;
  const words = found.words.split(" ").length;
  if (found.words === "")
    return found.dotted && !/^(?:\.{3}|…)$/.test(line.trim()) && /^\s*(?:\/\/|\/\*|\{\/\*|<!--)/.test(line);
  return (
    words <= 12 &&
    (plainRemark.test(found.words) ||
      (found.dotted && words <= 9 && dottedRemark.test(found.words) && !/[=;{]/.test(found.words)))
  );
}

/** Returns the first placeholder line of `next` that `previous` does not contain as well; null if there is none. */
export function* findNewPlaceholder(previous: string, next: string): Steps<string | null> {
  const previousLines = new Map<string, number>();
  const before = previous.split("\n");
  yield;
  for (const [index, line] of before.entries()) {
    if (index % linesPerStep === linesPerStep - 1) yield;
    const text = line.trim();
    previousLines.set(text, (previousLines.get(text) ?? 0) + 1);
  }
  const after = next.split("\n");
  yield;
  for (const [index, line] of after.entries()) {
    if (index % linesPerStep === linesPerStep - 1) yield;
    const text = line.trim();
    if (!isPlaceholder(text)) continue;
    const left = previousLines.get(text) ?? 0;
    if (left === 0) return text;
    previousLines.set(text, left - 1);
  }
  return null;
}
