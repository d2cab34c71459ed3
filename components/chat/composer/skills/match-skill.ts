/** Finds the skill that the words of a message are about. The same words find the same skill. Pure. */
import { extractIndexWords } from "@/lib/text/search-words";

interface MatchableSkill {
  readonly name: string;
  readonly description: string;
}

/** The start of a message says what it is about. UTF-16 units. */
const maxReadChars = 2_000;
/** Words of a description that a message must have: words, and pairs of characters of scripts without spaces. */
const leastWords = 3;
const leastPairs = 2;
const minWordChars = 3;

/** Words that say nothing about a kind of work. */
const commonWords = new Set(
  (
    "about add all and any are ask asks but can change code create does don each edit file files find fix for from get " +
    "give gives handle has have help helps her here how into its let like make makes more need new not now one only or " +
    "our out own please project read reads run same see set should show skill some task text than that the their them " +
    "then there these they this those tool tools under update use used user uses using want was way what when where " +
    "which while who will with work write writes you your"
  ).split(" "),
);

const isDense = (word: string): boolean => /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+$/u.test(word);
const singular = (word: string): string => (/[a-z]{3,}s$/.test(word) ? word.slice(0, -1) : word);

/** The words that count, without their plural. */
function tellingWords(text: string): ReadonlySet<string> {
  const words = [...extractIndexWords(text.slice(0, maxReadChars))];
  return new Set(
    words.flatMap((word) => {
      if (isDense(word)) return [...word].length === 2 ? [word] : [];
      return word.length < minWordChars || commonWords.has(word) ? [] : [singular(word)];
    }),
  );
}

interface SkillWords {
  readonly ofName: readonly string[];
  readonly ofDescription: readonly string[];
}

/** A message is compared at each key; the skills stay the same. */
const wordsOfSkills = new WeakMap<MatchableSkill, SkillWords>();

function wordsOf(skill: MatchableSkill): SkillWords {
  const cached = wordsOfSkills.get(skill);
  if (cached !== undefined) return cached;
  const words = {
    ofName: [...tellingWords(skill.name.replaceAll("-", " "))],
    ofDescription: [...tellingWords(skill.description)],
  };
  wordsOfSkills.set(skill, words);
  return words;
}

/** Points of a skill; 0 = the message is not about it. */
function scoreSkill(message: ReadonlySet<string>, skill: MatchableSkill): number {
  const { ofName, ofDescription } = wordsOf(skill);
  if (ofName.length > 0 && ofName.every((word) => message.has(word))) return 100 + ofName.length;
  const shared = ofDescription.filter((word) => message.has(word));
  const pairs = shared.filter(isDense).length;
  return shared.length - pairs >= leastWords || pairs >= leastPairs ? shared.length : 0;
}

/** Returns the name of the skill that fits best; of two that fit equally well the first. Null = none fits well. */
export function matchSkill(text: string, skills: readonly MatchableSkill[]): string | null {
  if (/^\s*[/!]/.test(text)) return null;
  const message = tellingWords(text);
  let best: { readonly name: string; readonly score: number } | null = null;
  for (const skill of skills) {
    const score = scoreSkill(message, skill);
    if (score > (best?.score ?? 0)) best = { name: skill.name, score };
  }
  return best?.name ?? null;
}
