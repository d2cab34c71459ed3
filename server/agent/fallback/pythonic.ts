/** Calls written as Python: `read(path="a")`, lists of them, `print(default_api.read(…))`. */
import type { Json } from "@/lib/content";
import {
  type Cursor,
  endsHere,
  isObject,
  isStop,
  readSeparator,
  skipSpace,
  type Stop,
  valueAt,
  withCursor,
} from "./lenient-json";
import { matchAt, plainName, type Reading, type Source, type WrittenCall } from "./source";

const head = /([A-Za-z_][\w.]*)[ \t]*\(/y;
const keyword = /(\w+)\s*=(?!=)\s*/y;

/** Positional arguments are unambiguous only alone: an object of all arguments, or a single text. */
function inputOf(positional: readonly Json[], named: readonly [string, Json][]): Json | null {
  if (positional.length === 0) return Object.fromEntries(named);
  const [only] = positional;
  if (positional.length > 1 || named.length > 0 || only === undefined) return null;
  return isObject(only) || typeof only === "string" ? only : null;
}

function callAt(cursor: Cursor): WrittenCall | Stop | null {
  const found = matchAt(head, cursor.text, cursor.at);
  if (found === null) return null;
  cursor.at += found[0].length;
  const positional: Json[] = [];
  const named: [string, Json][] = [];
  for (;;) {
    skipSpace(cursor);
    if (cursor.text[cursor.at] === ")") {
      cursor.at += 1;
      break;
    }
    const name = matchAt(keyword, cursor.text, cursor.at);
    if (name !== null) cursor.at += name[0].length;
    const value = valueAt(cursor);
    if (isStop(value)) return value;
    if (name?.[1] === undefined) positional.push(value);
    else named.push([name[1], value]);
    const more = readSeparator(cursor, ")");
    if (typeof more === "symbol") return more;
    if (!more) break;
  }
  const input = inputOf(positional, named);
  return input === null ? null : { name: plainName(found[1] ?? ""), input, form: "both" };
}

const between = /\s*[,;]?\s*(?=[A-Za-z_])/y;
const print = /(?:[a-z_]+\s*=\s*)?print\s*\(\s*/y;

/** Reads consecutive calls; in a list up to its bracket, which may be missing at the end. */
function callsAt(cursor: Cursor, list: boolean): { readonly calls: readonly WrittenCall[] } | Stop | null {
  const calls: WrittenCall[] = [];
  for (;;) {
    skipSpace(cursor);
    const wrapped = list ? null : matchAt(print, cursor.text, cursor.at);
    const before = cursor.at;
    if (wrapped !== null) cursor.at += wrapped[0].length;
    const call = callAt(cursor);
    if (typeof call === "symbol") return call;
    if (call === null) {
      cursor.at = before;
      break;
    }
    calls.push(call);
    if (wrapped !== null) {
      skipSpace(cursor);
      if (cursor.text[cursor.at] === ")") cursor.at += 1;
      else if (endsHere(cursor)) cursor.added = true;
      else return null;
    }
    const more = matchAt(between, cursor.text, cursor.at);
    if (more === null || matchAt(head, cursor.text, cursor.at + more[0].length) === null) break;
    cursor.at += more[0].length;
  }
  if (calls.length === 0) return null;
  if (!list) return { calls };
  skipSpace(cursor);
  if (cursor.text[cursor.at] === ",") cursor.at += 1;
  skipSpace(cursor);
  if (cursor.text[cursor.at] === "]") cursor.at += 1;
  else if (endsHere(cursor)) cursor.added = true;
  else return null;
  return { calls };
}

function reading(source: Source, at: number, list: boolean): Reading {
  const result = withCursor(source, at, (cursor) => {
    if (list) cursor.at += 1;
    const found = callsAt(cursor, list);
    return found === null || typeof found === "symbol" ? found : { ...found, end: cursor.at, whole: !cursor.added };
  });
  return result === "broken" ? null : result;
}

const listHead = /\[\s*[A-Za-z_][\w.]*\(/y;

/** Reads `[read(path="a"), ls()]` at `at`. */
export const readPythonList = (source: Source, at: number): Reading =>
  matchAt(listHead, source.text, at) === null ? null : reading(source, at, true);

/** Reads `read(path="a")`, several of them, or the same in `print(…)`. */
export const readPythonCalls = (source: Source, at: number): Reading =>
  matchAt(head, source.text, at) === null && matchAt(print, source.text, at) === null
    ? null
    : reading(source, at, false);
