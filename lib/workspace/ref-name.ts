/** Names of branches and tags. */

/** Names that commands accept: none is taken for an option or an expression. Git checks the rest of its rules. */
export const refNamePattern = /^[^-\x00-\x20\x7f~^:?*[\\@][^\x00-\x20\x7f~^:?*[\\]*$/;

/** Whether git accepts the name for a branch or a tag. */
export const isRefName = (name: string): boolean =>
  refNamePattern.test(name) &&
  name !== "HEAD" &&
  !name.includes("..") &&
  !name.includes("@{") &&
  !name.endsWith(".") &&
  name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
