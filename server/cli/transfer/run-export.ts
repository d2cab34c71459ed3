/** `gopi-web export`: prints a session, or writes it into a file. */
import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { asId, type SessionId } from "@/lib/events/id";
import { errnoName } from "@/server/base/system-errors";
import type { ExportArguments } from "../arguments/verb-arguments";
import { printable } from "../arguments/options";
import { cliErrorText, RunFailure } from "../cli-error-text";
import { listSessions } from "../get/list-sessions";
import { runWithServer } from "../server-job";
import type { CommandLink } from "../session-link";
import { stripControls } from "../terminal-text";

/** Exit code: 0 done, 1 error, also when the file exists, 130 stopped. */
export const runExport = (command: ExportArguments): Promise<number> =>
  runWithServer(command, async (link) => {
    const sessionId = await findSession(link, command.session);
    const answer = await link.call("session.export", { sessionId, format: command.format });
    if (!answer.ok)
      throw new RunFailure(
        answer.error.code === "not_found"
          ? `there is no session ${sessionId}; gopi-web get sessions lists them`
          : cliErrorText(answer.error),
      );
    const { text } = answer.value;
    if (command.output !== null) writeNewFile(command.output, text);
    else process.stdout.write(process.stdout.isTTY ? stripControls(text) : text);
    return 0;
  });

/** Returns the session with an id that begins with the text. Throws RunFailure. */
async function findSession(link: CommandLink, text: string): Promise<SessionId> {
  const listed = [...(await listSessions(link, {})), ...(await listSessions(link, { archived: true }))];
  const found = listed.filter(({ id }) => id.startsWith(text));
  const [first, ...more] = found;
  // Subagents and deleted sessions are not listed, but have a whole id.
  if (first === undefined || found.some(({ id }) => id === text)) return asId<SessionId>(text);
  if (more.length === 0) return first.id;
  const shown = found.slice(0, maxShown).map(({ id }) => id);
  throw new RunFailure(
    `${found.length} sessions begin with ${text}: ${shown.join(", ")}${found.length > maxShown ? ", …" : ""}; add a few characters`,
  );
}

const maxShown = 5;

/** Nothing is left of a file that could not be written whole. Throws RunFailure. */
function writeNewFile(path: string, text: string): void {
  const file = openNewFile(path);
  try {
    writeFileSync(file, text);
  } catch (error) {
    rmSync(path, { force: true });
    throw new RunFailure(`${printable(path)} can't be written (${errnoName(error)})`);
  } finally {
    closeSync(file);
  }
}

function openNewFile(path: string): number {
  try {
    return openSync(path, "wx");
  } catch (error) {
    const code = errnoName(error);
    const reason =
      code === "EEXIST"
        ? "exists already; choose another name or remove it first"
        : code === "ENOENT"
          ? "can't be written: its folder does not exist"
          : `can't be written (${code})`;
    throw new RunFailure(`${printable(path)} ${reason}`);
  }
}
