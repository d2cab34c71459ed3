/** Completes words from all open texts that the language of the text does not complete. */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
} from "@codemirror/autocomplete";
import { EditorState, type Extension, type Text } from "@codemirror/state";

/** Texts beyond this length offer the words of their start, characters. */
const maxTextChars = 200_000;
const maxWords = 5_000;
const wordPattern = /[\p{L}_$][\p{L}\p{N}_$]{2,60}/gu;

const wordsByText = new WeakMap<Text, ReadonlySet<string>>();

/** Returns the words of a text with at least three characters. */
function wordsOf(text: Text): ReadonlySet<string> {
  const cached = wordsByText.get(text);
  if (cached !== undefined) return cached;
  const words = new Set<string>();
  for (const [word] of text.sliceString(0, maxTextChars).matchAll(wordPattern)) {
    words.add(word);
    if (words.size === maxWords) break;
  }
  wordsByText.set(text, words);
  return words;
}

/** Returns the names that the language of the text completes here. `own` = the source of words. */
async function languageNames(context: CompletionContext, own: CompletionSource): Promise<readonly string[]> {
  const sources = context.state
    .languageDataAt<CompletionSource | undefined>("autocomplete", context.pos)
    .filter((source) => typeof source === "function" && source !== own);
  const results = await Promise.all(sources.map((source) => source?.(context)));
  return results.flatMap((result) => result?.options.map(({ label }) => label) ?? []);
}

/** `others` = the texts of the other open files. */
export function completeWords(others: () => readonly Text[]): CompletionSource {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const typed = context.matchBefore(/[\p{L}_$][\p{L}\p{N}_$]*$/u);
    if (typed === null || (typed.text.length < 2 && !context.explicit)) return null;
    const { doc } = context.state;
    // The word that is being typed is no choice.
    const before = wordsOf(doc.slice(0, Math.min(typed.from, maxTextChars)));
    const after = wordsOf(doc.slice(context.pos, Math.min(doc.length, context.pos + maxTextChars)));
    const words = new Set([...before, ...after, ...others().flatMap((text) => [...wordsOf(text)])]);
    words.delete(typed.text);
    for (const name of await languageNames(context, source)) words.delete(name);
    return {
      from: typed.from,
      options: [...words].map((label) => ({ label, type: "text", boost: -50 })),
      validFor: /^[\p{L}\p{N}_$]*$/u,
    };
  };
  return source;
}

/** `opensByTyping`: the list opens while one types, not only with the key. */
export function wordCompletion(others: () => readonly Text[], opensByTyping: boolean): Extension {
  // CodeMirror identifies a source by its function.
  const data = [{ autocomplete: completeWords(others) }];
  return [
    autocompletion({ activateOnTyping: opensByTyping, icons: false, maxRenderedOptions: 50 }),
    EditorState.languageData.of(() => data),
  ];
}
