/** Detects calls that touch a protected file, so that a share hides what they read or wrote. */
import type { Json } from "@/lib/events/content";
import { isProtectedPath } from "@/server/security/paths/protected-names";

/** True for a protected path, or a command line with a word that names a protected file. */
export function namesProtected(target: string, protectedNames: readonly string[]): boolean {
  const policy = { protectedNames };
  if (isProtectedPath(target, policy)) return true;
  return target.split(/[\s'"`;|&<>(){}=,:$]+/).some((word) => word !== "" && isProtectedPath(word, policy));
}

const pathMaxChars = 4_096;

/** True when a call's input names a protected file in any field: its other fields may hold that file's content. */
export function inputNamesProtected(input: Json, protectedNames: readonly string[]): boolean {
  if (typeof input !== "object" || input === null) return false;
  return Object.entries(input).some(([name, value]) => {
    if (typeof value !== "string") return inputNamesProtected(value, protectedNames);
    if (name === "command" || name === "cmd") return false;
    return value.length <= pathMaxChars && !value.includes("\n") && isProtectedPath(value.trim(), { protectedNames });
  });
}
