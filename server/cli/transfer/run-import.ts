/** `gopi-web import`: adds the sessions of a JSONL file to the current folder. */
import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { CommandId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { randomId } from "@/server/base/id";
import { errnoName } from "@/server/base/system-errors";
import type { ImportArguments } from "../arguments/verb-arguments";
import { printable } from "../arguments/options";
import { RunFailure } from "../cli-error-text";
import { printLines } from "../output/print-rows";
import { callOrThrow, runWithServer } from "../server-job";

/** A character has at most this many bytes. */
const maxBytesPerChar = 3;
/** Longest name of a file that is sent. */
const maxNameChars = 300;

/** Exit code: 0 done, 1 error, 130 stopped. */
export const runImport = (command: ImportArguments): Promise<number> =>
  runWithServer(command, async (link) => {
    const text = readFile(command.file);
    const { project } = await callOrThrow(link, "project.open", { path: command.cwd });
    const { rows, droppedPins } = await callOrThrow(link, "session.import", {
      projectId: project.id,
      commandId: randomId<CommandId>("c"),
      name: basename(command.file).slice(-maxNameChars),
      text,
    });
    printLines(rows.map((row) => (command.json ? JSON.stringify(row) : `${row.id}  ${printable(row.title)}`)));
    if (droppedPins > 0)
      process.stderr.write(
        `gopi-web: ${droppedPins} pinned files were left out, a session has at most ${limits.pinnedFiles}\n`,
      );
    return 0;
  });

function readFile(path: string): string {
  try {
    const found = statSync(path);
    // Reading a pipe could wait without an end.
    if (!found.isFile()) throw new RunFailure(`${printable(path)} is not a file`);
    const text = found.size > limits.importMaxChars * maxBytesPerChar ? null : readFileSync(path, "utf8");
    if (text !== null && text.length <= limits.importMaxChars) return text;
  } catch (error) {
    if (error instanceof RunFailure) throw error;
    throw new RunFailure(`${printable(path)} can't be read (${errnoName(error)})`);
  }
  throw new RunFailure(`${printable(path)} is too large; at most ${limits.importMaxChars} characters can be imported`);
}
