/** Adds a trailer to a message of a commit, as git-interpret-trailers(1) does without settings. Pure. */

const trailerLine = /^[A-Za-z0-9-]+[ \t]*:/;
const gitsOwnLine = /^(?:Signed-off-by: |\(cherry picked from commit )/;

/** Returns the message with the trailer after its last one; without change if that is the same. */
export function addTrailer(message: string, name: string, value: string): string {
  const text = message.replace(/\s+$/, "");
  const trailer = `${name}: ${value}`;
  const paragraphs = text.split(/\n(?:[ \t]*\n)+/);
  const last = paragraphs.at(-1)?.split("\n") ?? [];
  if (paragraphs.length < 2 || !isTrailerBlock(last)) return `${text}\n\n${trailer}\n`;
  return last.at(-1) === trailer ? `${text}\n` : `${text}\n${trailer}\n`;
}

/** All of its lines are trailers, or a quarter of them where git wrote one itself. A line that begins with space continues a trailer. */
function isTrailerBlock(lines: readonly string[]): boolean {
  let [trailers, others, isTrailer] = [0, 0, false];
  for (const line of lines) {
    if (/^\s/.test(line) && isTrailer) continue;
    isTrailer = trailerLine.test(line) || gitsOwnLine.test(line);
    if (isTrailer) trailers += 1;
    else others += 1;
  }
  if (trailers > 0 && others === 0) return true;
  return trailers * 3 >= others && lines.some((line) => gitsOwnLine.test(line));
}
