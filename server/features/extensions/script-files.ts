/** Reads what the system needs to start a file as a program: its execute bit, and the interpreter in its first line. */
import { readFileStart } from "@/server/workspace/files/read-file-start";

/** The command that gives a file its execute bit. */
export const executableCommand = (file: string): string => `chmod +x '${file.replaceAll("'", "'\\''")}'`;

const maxLineBytes = 256;

/** Returns the program that its first line names, that of `/usr/bin/env` included; null = it has no such line. */
export async function interpreterOf(file: string): Promise<string | null> {
  const line = (await readFileStart(file, maxLineBytes))?.toString().split("\n")[0] ?? "";
  const [, program, first = ""] = /^#![ \t]*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?/.exec(line) ?? [];
  if (program === undefined) return null;
  return program.endsWith("/env") && first !== "" ? first : program;
}
