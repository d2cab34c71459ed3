// Recognises a start that failed because this process may not open enough files.

/** Returns what to do, or null if the error has another cause. */
export function openFilesProblem(error) {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (/\b(?:EMFILE|ENFILE)\b|too many open files/i.test(`${cause.code} ${cause.message}`))
      return "gopi-web: too many open files. This shell allows too few; raise the limit and start again: ulimit -n 4096";
  return null;
}
