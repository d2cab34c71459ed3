/** Messages about skills: their settings page, the message field. */

export const skills = {
  title: "Skills",
  about:
    "A skill is a folder with instructions for one kind of work, such as filling in PDF forms or writing release notes. The model gets a line about each and reads the whole text when it needs it.",
  noProject: "Skills are listed for a project. Open a folder first.",
  failed: "Couldn't load the skills.",
  readFailed: "Couldn't read this skill. It may have been moved or removed.",
  back: "All skills",
  missing: "This skill is no longer in the list. Go back to all skills to see the others.",
  ofProject: "This project",
  ofHome: "All projects",
  shipped: "Part of gopi-web",
  inFolder: (path: string) => `Skills in ${path}`,
  unreadable: (path: string) =>
    `gopi-web can't read which skills you switched off, so all of them are off. Correct ${path}, or move it away and switch off again what you don't want. Then open this page again.`,
  untrusted: "This project isn't trusted, so its own skills aren't read. You can trust its folder in Permissions.",
  empty: "No skills yet",
  emptyNote: "Make a folder for the skill below this one, and put a file SKILL.md into it:",
  exampleName: "release-notes/SKILL.md",
  example: `---
name: release-notes
description: Writes release notes from the git log. Use it when a version is published.
---

1. Read the log since the last tag.
2. Write one line for each change that a user notices.`,
  emptyEffect: "It's in this list, and the model can use it, as soon as the file exists.",
  places: "Folders that are read",
  placesNote: "In this order. If two skills have the same name, the first one is used.",
  noFolder: "not there yet",
  copyPath: "Copy path",
  skillCount: (count: number) => (count === 1 ? "1 skill" : `${count} skills`),
  use: (name: string) => `Offer ${name} to the model`,
  offer: "Offer to the model",
  offerNote: "A change applies from the next message on.",
  off: "Off",
  shadowed: "Not used",
  unusable: "Can't be used",
  manual: "Only by you",
  shadowedBy: "Another skill of this name comes first:",
  manualNote: (command: string) => `Its author wants only you to put it into use: begin a message with ${command}.`,
  slashNote: (command: string) => `To put it into use yourself, begin a message with ${command}.`,
  lineCost: (tokens: string) => `${tokens} tokens in the list`,
  textCost: (tokens: string) => `${tokens} tokens of text`,
  notes: (count: number) => (count === 1 ? "1 note" : `${count} notes`),
  warningsTitle: "Notes",
  inLine: (line: number, text: string) => `Line ${line}: ${text}`,
  folder: "Folder",
  compatibility: "Needs",
  cost: "Cost",
  files: "Files",
  filesNote:
    "The model reads them when the text refers to them. Scripts run only as a command, which asks like any other.",
  moreFiles: (count: string) => `and ${count} more`,
  text: "SKILL.md",
  ownWords: "In the author's own words. gopi-web doesn't check them.",
  /** The message field. */
  menuLabel: "Skills",
  suggestion: (name: string) => `Use skill ${name}?`,
  suggestionUse: "Use",
  suggestionDismiss: "Not now",
  /** With what a warning has: its detail, count and limit, in this order. */
  warnings: {
    no_frontmatter:
      "The file has no frontmatter. Begin it with a line ---, the name, the description and another line ---.",
    unclosed_frontmatter: "The frontmatter has no end. Add a line --- after its last key.",
    frontmatter_large: (count: string, limit: string) =>
      `The frontmatter has ${count}, more than ${limit}. Move what isn't a key into the text below it.`,
    broken_yaml:
      "This isn't valid YAML. Write each key as key: value, and put a value with special characters into quotes.",
    no_description: "There is no description. Say in a sentence or two what the skill does and when to use it.",
    too_large: (count: string, limit: string) =>
      `The file has ${count}, more than ${limit}. Move details into other files of the folder.`,
    not_text: "The file isn't UTF-8 text. Save it as UTF-8.",
    unreadable: "The file can't be read. Check its permissions.",
    no_name: (detail: string) => `There is no name, so it's called ${detail} like its folder. Add a name.`,
    bad_name: (detail: string) =>
      `It's called ${detail}, because a name has only lower-case letters, digits and single hyphens.`,
    long_name: (detail: string, limit: string) =>
      `The name is longer than ${limit} characters and was cut to ${detail}. Shorten it.`,
    name_differs: (detail: string) =>
      `The name isn't that of the folder, ${detail}. Other programs may not find the skill: rename one of them.`,
    long_description: (count: string, limit: string) =>
      `The description has ${count} characters, more than ${limit}. The model gets its first sentence only: put what matters there.`,
    long_compatibility: (count: string, limit: string) =>
      `The field compatibility has ${count} characters, more than ${limit}. Shorten it.`,
    quoted:
      "A value with special characters, such as a colon, isn't in quotes. It was read as text; put it into quotes, so that other programs read it too.",
    tabs: "The frontmatter is indented with tabs. They were read as blanks; YAML allows no tabs.",
    duplicate_key: "This key was there before. The first value counts: remove the second.",
    alias: (detail: string) => `The value of ${detail} is a YAML alias, which isn't read. Write the value itself.`,
    not_text_value: (detail: string) => `The value of ${detail} isn't a text and isn't read. Write it as a text.`,
    byte_order_mark:
      "The file begins with a byte order mark. It was left out; other programs may not find the frontmatter.",
    line_ends:
      "The file has line ends of Windows. They are read as usual; in scripts of the folder they can be an error.",
    file_name: (detail: string) =>
      `The file is called ${detail}. Rename it to SKILL.md, so that other programs find it.`,
    empty_body: "There is no text after the frontmatter. Write what the model should do.",
    long_body: (count: string, limit: string) =>
      `The text has ${count} tokens, more than ${limit}. The model gets it by sections: give it headings, or move details into files.`,
    hidden_characters: (count: string) =>
      `Hidden characters: ${count}. They are marked in the text below and left out for the model. Check where the skill comes from.`,
    comments: (count: string) =>
      `HTML comments: ${count}. A page that shows the text as Markdown hides them; the model reads them. Read them before you use the skill.`,
    allowed_tools:
      "It lists tools that it wants to use without asking. That grants nothing here: every command asks as usual.",
    same_name: (detail: string) => `The skill in ${detail} has the same name and is used. Rename one of them.`,
  },
  placeWarnings: {
    link: "This link leads out of the folder and isn't followed. Copy what it leads to into the folder.",
    loose_file: "This file isn't in a folder of its own. Make a folder for it and move it there.",
    too_deep: (limit: string) => `Folders more than ${limit} levels down aren't searched. Move the skill up.`,
    too_many_folders: (limit: string) =>
      `There are more than ${limit} folders; from this one on they aren't searched. Remove folders that aren't skills.`,
    too_many_skills: (limit: string) =>
      `There are more than ${limit} skills; from this one on they aren't used. Remove skills that you don't need.`,
    unreadable_folder: "This folder can't be read. Check its permissions.",
    no_answer: (limit: string) =>
      `This folder didn't answer within ${limit} s, so its skills are left out. Check the disk or network it is on, then reload this page.`,
  },
};
