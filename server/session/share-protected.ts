/** Which calls touch a protected file, so that viewers of a share get nothing of what they read or wrote. Used by share-redactor. */
import type { Json } from "@/lib/content";
import { isProtectedPath } from "../security/protected-names";

/** A path, or a command line any word of which names a protected file. */
export function namesProtected(target: string, protectedNames: readonly string[]): boolean {
  const policy = { protectedNames };
  if (isProtectedPath(target, policy)) return true;
  return target.split(/[\s'"`;|&<>(){}=,:$]+/).some((word) => word !== "" && isProtectedPath(word, policy));
}

const pathMaxChars = 4_096;

/** The input of a call that names a protected file anywhere: its other fields may hold what stands in it. */
export function hiddenInput(input: Json, protectedNames: readonly string[]): boolean {
  if (typeof input !== "object" || input === null) return false;
  return Object.entries(input).some(([name, value]) => {
    if (typeof value !== "string") return hiddenInput(value, protectedNames);
    if (name === "command" || name === "cmd") return false;
    return value.length <= pathMaxChars && !value.includes("\n") && isProtectedPath(value.trim(), { protectedNames });
  });
}
