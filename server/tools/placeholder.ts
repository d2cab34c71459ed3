/** Finds lines a model wrote instead of code it wanted to keep ("... existing code ..."): edit and write refuse them. Pure. */

/** Comment signs, brackets and quotes around the words of a line. */
const opening = /^(?:\/\/+|\/\*+|\{\/\*+|<!--|#+|--+|;+|%+|\*+|"""|'''|[[({<])\s*/;
const closing = /\s*(?:\*+\/\}?|-->|#+|"""|'''|[\])}>])$/;
const dots = /\.{3,}|…+/;

const parts =
  "(?:code|file|function|method|methods|class|component|implementation|implementations|content|contents|logic|imports|module|script|body|lines|text|section|sections|document|tests|fields|properties|rules|styles|entries|items|configuration|config)";
/** Says that something was left out even without dots. */
const plain = new RegExp(
  [
    `^(?:the )?(?:rest|remainder) of (?:the |this |your |our )?(?:existing |original |previous )?(?:\\w+ )?${parts}\\b`,
    `^(?:the )?(?:existing|remaining|previous|original|unchanged|unmodified|same) (?:\\w+ )?${parts}(?: (?:here|above|below|goes here|continues|remains?|stays?|is|are|unchanged|as is|as before|the same|follows|omitted|kept))*$`,
    `^(?:the )?(?:rest|everything else|all else|other ${parts}) (?:is |are |remains? |stays? )?(?:the same|unchanged|as is|as before|omitted)`,
    `^(?:the )?${parts} (?:remains? |stays? |is |are )?(?:unchanged|the same|as before|omitted)(?: for brevity)?$`,
    "^(?:same as (?:before|above|original)|no changes?(?: here)?|unchanged|omitted for brevity|keep (?:the )?(?:rest|existing|everything)(?: .{0,40})?)$",
    "^(?:此处)?(?:其余|其他|其它|剩余|剩下|现有|已有|原有|原来|之前)的?(?:代码|内容|部分|文件|逻辑|实现|方法|函数).{0,12}$",
    "^(?:以下|以上|此处|这里|后面|代码)?(?:保持不变|省略|不变|与之前相同|同上)(?:代码|内容)?$",
  ].join("|"),
  "iu",
);
/** Says it together with dots. */
const withDots =
  /\b(?:rest|remain\w*|existing|unchanged|same|previous|prior|other|others|omitted|original|continues?|keep|more|before|above|below|as is|code|implementation)\b|其余|其他|其它|剩余|剩下|现有|已有|原有|原来|之前|不变|省略|更多|代码/iu;

/** What a line says without comment signs, or null when it is not a comment, a bracketed remark or dots. */
function remark(line: string): { readonly words: string; readonly dotted: boolean } | null {
  let words = line.trim();
  let wrapped = false;
  for (let next = words.replace(opening, ""); next !== words; next = words.replace(opening, "")) {
    words = next;
    wrapped = true;
  }
  words = words.replace(closing, "").replace(closing, "");
  const dotted = dots.test(words);
  const edges = /^(?:\.{3,}|…+)|(?:\.{3,}|…+)$/.test(words.trim());
  if (!wrapped && (!edges || isSpread(words))) return null;
  return {
    words: words
      .replaceAll(new RegExp(dots, "g"), " ")
      .replaceAll(/[()[\]]/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim()
      .replace(/[.:。]$/, ""),
    dotted,
  };
}

/** `...rest,` and `...(more ?? []),`: one word after the dots, or signs that no remark has. */
const isSpread = (text: string): boolean => /^\.{3}\S*$/.test(text) || /^\.{3}\S.*[(){}=;,?]/.test(text);

/** The line stands for something left out. `...` alone is code in Python and spread syntax is code: both are none. */
export function isPlaceholder(line: string): boolean {
  if (line.length > 200) return false;
  const found = remark(line);
  if (found === null) return false;
  const words = found.words.split(" ").length;
  if (found.words === "")
    return found.dotted && !/^(?:\.{3}|…)$/.test(line.trim()) && /^\s*(?:\/\/|\/\*|\{\/\*|<!--)/.test(line);
  return (
    words <= 12 &&
    (plain.test(found.words) ||
      (found.dotted && words <= 9 && withDots.test(found.words) && !/[=;{]/.test(found.words)))
  );
}

/** The first placeholder line of `next` that `previous` does not have as well; null when there is none. */
export function newPlaceholder(previous: string, next: string): string | null {
  const known = new Map<string, number>();
  for (const line of previous.split("\n")) known.set(line.trim(), (known.get(line.trim()) ?? 0) + 1);
  for (const line of next.split("\n")) {
    const text = line.trim();
    if (!isPlaceholder(text)) continue;
    const left = known.get(text) ?? 0;
    if (left === 0) return text;
    known.set(text, left - 1);
  }
  return null;
}
