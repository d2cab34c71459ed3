/** Finds the settings of a git configuration that make git run programs, by parsing its text without running git. */

/** Setting names in lower case, without subsections. */
const programSettings: ReadonlySet<string> = new Set([
  "core.hookspath",
  "core.sshcommand",
  "core.pager",
  "core.editor",
  "core.askpass",
  "core.gitproxy",
  "core.alternaterefscommand",
  "sequence.editor",
  "diff.external",
  "diff.command",
  "diff.textconv",
  "filter.clean",
  "filter.smudge",
  "filter.process",
  "merge.driver",
  "difftool.cmd",
  "difftool.path",
  "mergetool.cmd",
  "mergetool.path",
  "credential.helper",
  "gpg.program",
  "gpg.defaultkeycommand",
  "interactive.difffilter",
  "remote.uploadpack",
  "remote.receivepack",
  "remote.vcs",
  "uploadpack.packobjectshook",
  "trailer.command",
  "trailer.cmd",
  "browser.cmd",
  "browser.path",
  "man.cmd",
  "man.path",
  "web.browser",
  "instaweb.httpd",
  "sendemail.smtpserver",
  "sendemail.tocmd",
  "sendemail.cccmd",
  "gui.cmd",
  "hook.command",
  "guitool.cmd",
  "protocol.allow",
  "include.path",
  "includeif.path",
]);

const booleanValue = /^(?:true|false|yes|no|on|off|0|1|)$/i;

/** Returns whether git runs something because of this value. `name` = in lower case, without subsection. */
export function isGitProgram(name: string, value: string): boolean {
  if (name === "core.fsmonitor") return !booleanValue.test(value);
  if (name.startsWith("pager.")) return !booleanValue.test(value);
  if (name.startsWith("alias.") || name === "submodule.update") return value.startsWith("!");
  if (name === "protocol.allow") return !/^never$/i.test(value);
  return programSettings.has(name);
}

/** Returns the names of such settings as git writes them (`filter.x.clean`), without duplicates, in order. */
export function findGitPrograms(text: string): readonly string[] {
  const found = new Set<string>();
  let section = "";
  let subsection = "";
  for (const line of joinContinuedLines(text)) {
    const head = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line);
    if (head !== null) {
      section = (head[1] ?? "").toLowerCase();
      subsection = (head[2] ?? "").replace(/\\(.)/g, "$1");
      // `[diff.x]` is the deprecated form of `[diff "x"]`.
      const dot = section.indexOf(".");
      if (dot > 0 && head[2] === undefined) {
        subsection = section.slice(dot + 1);
        section = section.slice(0, dot);
      }
    }
    const setting = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/.exec(head === null ? line : (head[3] ?? ""));
    if (setting === null || section === "") continue;
    const key = (setting[1] ?? "").toLowerCase();
    if (isGitProgram(`${section}.${key}`, unquoteValue(setting[2] ?? "")))
      found.add(subsection === "" ? `${section}.${key}` : `${section}.${subsection}.${key}`);
  }
  return [...found];
}

/** Joins lines continued by a final backslash and drops comment lines. */
const joinContinuedLines = (text: string): readonly string[] =>
  text
    .replace(/^\uFEFF/, "")
    .replace(/\\\r?\n/g, "")
    .split(/\r?\n/)
    .filter((line) => !/^\s*[#;]/.test(line));

const unquoteValue = (value: string): string =>
  value
    .trim()
    .replace(/^"((?:[^"\\]|\\.)*)"/, "$1")
    .trim();
