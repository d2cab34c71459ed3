/** Recognizes commands that change nothing, whatever they read: each part is a listed reader, with words that are certain. */
import type { CommandSegment, ParsedCommand, Redirect } from "../shell/parsed-command";
import { readPaths } from "./readers";

/** Returns whether a command consists of listed readers alone, provided that their names lead to the system's programs. */
export const consistsOfReaders = (parsed: ParsedCommand): boolean =>
  parsed.kind === "parsed" && !parsed.functions && parsed.segments.length > 0 && parsed.segments.every(isPureReader);

const isPureReader = (segment: CommandSegment): boolean =>
  segment.unreadable === null &&
  segment.wrapper !== "opaque" &&
  !segment.special &&
  !segment.openEnded &&
  segment.assignments.length === 0 &&
  // A name that a pattern stands for may be an option.
  segment.words.every((word) => word.literal && !word.glob) &&
  (segment.wrapper === "transparent" || segment.words[0]?.text === "cd" || readPaths(segment.words) !== null) &&
  segment.redirects.every(changesNothing);

const changesNothing = ({ operator, target }: Redirect): boolean =>
  operator === "<" ||
  operator.startsWith("<<") ||
  /^\/dev\/(?:null|stdout|stderr)$/.test(target?.text ?? "") ||
  (operator === ">&" && /^\d+$/.test(target?.text ?? ""));
