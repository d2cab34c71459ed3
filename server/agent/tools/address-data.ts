/**
 * Whether the parts of an address are such as carry data rather than name a page: long, or without the structure of words.
 * Fragments are not sent. Pure.
 */

/** A longer query may hold data of the conversation. */
const maxQueryChars = 100;
/** Characters of a path, percent codes decoded; documentation stays below. */
const maxPathChars = 240;
const maxSegmentChars = 120;
const maxHostChars = 100;
/** Letters and digits without anything between them. */
const maxWordChars = 64;
/** Shorter texts have no structure to judge. */
const minJudgedChars = 24;
/** Changes between capitals, small letters and digits, for each character: words have fewer, keys and base64 more. */
const maxChangeShare = 0.25;
/** Ids of commits, and those of pages in hexadecimal digits. */
const commonId = /^(?:[\da-f]{7,40}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Characters of all ids of a path: a comparison of two commits has two. */
const maxIdChars = 80;

const longHexadecimal = /^[\da-f]{41,}$/i;

export function carriesData(url: URL): boolean {
  const { search, pathname, hostname } = url;
  if (search.length > maxQueryChars || hostname.length > maxHostChars) return true;
  const path = decodePath(pathname);
  if (path.length > maxPathChars || [...path.split("/"), ...hostname.split(".")].some(isData)) return true;
  return isDividedData(path);
}

/** Data divided among many short segments: their words are judged together. */
function isDividedData(path: string): boolean {
  const words = path.match(wordPattern) ?? [];
  const ids = words.filter((word) => commonId.test(word));
  const dense = words.filter((word) => !commonId.test(word) && countChanges(word) / word.length > maxChangeShare);
  return ids.join("").length > maxIdChars || dense.join("").length >= minJudgedChars;
}

const wordPattern = /[A-Za-z\d]+/g;

const countChanges = (word: string): number => (word.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []).length - 1;

/** As it is if it is not valid. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function isData(segment: string): boolean {
  if (segment.length > maxSegmentChars) return true;
  const words = segment.match(wordPattern) ?? [];
  if (words.some((word) => word.length > maxWordChars || longHexadecimal.test(word))) return true;
  // A page's id may follow its title.
  const judged = words.filter((word) => !commonId.test(word));
  const chars = judged.join("").length;
  if (chars < minJudgedChars || commonId.test(segment)) return false;
  const changes = judged.reduce((sum, word) => sum + countChanges(word), 0);
  return changes / chars > maxChangeShare;
}
