/**
 * Recognises secrets by their shape. No shape extends across white space except the header of a request; none depends
 * on text beyond its word.
 */

export interface SecretSpan {
  /** UTF-16 units */
  readonly start: number;
  readonly end: number;
  /** The home folder: it is replaced by `~`, not masked. */
  readonly home?: true;
}

/** Group 1, where present, is the secret; otherwise the whole match. All are global and have match indices. */
const secretShapes: readonly RegExp[] = [
  // OpenAI, Anthropic, OpenRouter and similar; hyphenated words rarely contain both a digit and a capital
  /(?<![A-Za-z0-9])sk-(?=[\w-]{0,100}\d)(?=[\w-]{0,100}[A-Za-z])[\w-]{16,}/dg,
  /(?<![A-Za-z0-9])gh[oprsu]_[A-Za-z0-9]{20,}/dg,
  /(?<![A-Za-z0-9])github_pat_\w{20,}/dg,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/dg,
  /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}/dg,
  /(?<![A-Za-z0-9])xapp-[A-Za-z0-9-]{10,}/dg,
  /(?<![A-Za-z0-9])gl(?:pat|dt|rt|ptt)-[\w-]{16,}/dg,
  /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{20,}/dg,
  /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,}/dg,
  /(?<![A-Za-z0-9])pypi-[\w-]{32,}/dg,
  /(?<![A-Za-z0-9])AIza[\w-]{35}/dg,
  /(?<![A-Za-z0-9])(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}/dg,
  /(?<![A-Za-z0-9])\d{6,12}:AA[\w-]{30,}/dg,
  // JSON Web Tokens, with or without a signature
  /(?<![A-Za-z0-9])eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/dg,
  // the password of a URL; a user name alone when it is long enough to be a token
  /(?<=[a-z0-9+.-]):\/\/[!-.0-9;-?A-~]*:([!-.0-?A-~]+)@/dgi,
  /(?<=[a-z0-9+.-]):\/\/([\w~.-]{16,})@/dgi,
  /[?&#](?:[\w-]*(?:token|secret|password|passwd|signature|api_?key|access_?key))=([\w.~%+/=-]{8,})/dgi,
  // password=value in settings, options and JSON; not where code computes the value
  /(?:pass(?:word|wd|phrase|code)|(?<![A-Za-z])pwd)["']?[=:]["']?(?![~/$<{(%*•]|null\b|none\b|true\b|false\b|undefined\b|(?:process|os|self|this|env|config|settings|props|req|args|options|input)\b[.[])((?![\w.]+\()[^\s"'`,;&<>()\u2e80-\uffff]{4,})/dgi,
  /(?:secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)["']?[=:]["']?(?=[\w.~%+/=-]{0,100}\d)(?=[\w.~%+/=-]{0,100}[A-Za-z])([\w.~%+/=-]{10,})/dgi,
  // NAME=value as written in a shell
  /(?<![A-Za-z0-9])[A-Z][A-Z0-9_]*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY)=["']?([^\s"'\u2e80-\uffff$<({]{8,})/dg,
];

/**
 * The token after the scheme word of a header, including the word: the word identifies the token even when they arrive
 * in separate chunks. An ordinary word in this position has no digits, no inner capitals and fewer letters.
 */
const authorizationHeader =
  /(?<![A-Za-z])(?:[Bb]earer|BEARER|[Bb]asic|BASIC)[ \t]{1,4}(?=[!-~]*\d|[!-~]*[a-z][A-Z][!-~]*[a-z][A-Z]|[!-~]{32})[\w.~+/=-]{8,}/dg;
/** A header that may be incomplete: the word, the white space, the token so far. */
const partialHeader = /(?<![A-Za-z])(?:[Bb]earer|BEARER|[Bb]asic|BASIC)(?:[ \t]{0,4}|[ \t]{1,4}[!-~]+)$/;

/** The secrets in a text that are recognised by their shape. */
export function shapeSpans(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const shape of [...secretShapes, authorizationHeader]) {
    for (const { indices } of text.matchAll(shape)) {
      const found = indices?.[1] ?? indices?.[0];
      if (found !== undefined) spans.push({ start: found[0], end: found[1] });
    }
  }
  return spans;
}

/**
 * Returns the offset where a shape that extends across white space may have begun; the text's length when there is
 * none.
 */
export function shapeHoldOffset(text: string): number {
  const begun = partialHeader.exec(text.slice(-8_192));
  return begun === null ? text.length : Math.max(0, text.length - 8_192) + begun.index;
}
