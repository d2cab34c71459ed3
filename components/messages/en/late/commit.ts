/** Messages of the form for a commit. */

/** Why the model wrote no message, by the code of the error; others have their usual sentence. */
const notWritten: { readonly [code: string]: string | undefined } = {
  busy: "The model is working on an answer. Try again when it's done.",
  no_changes: "There is nothing to write about: no file has changed.",
  protected: "The model may not read any of these files.",
  empty_answer: "The model gave no usable message.",
  no_model: "No model is available.",
  window_full: "The changes don't fit into the model's context window.",
};

export const commit = {
  message: "Commit message",
  subject: (length: number, most: number) => `${length}/${most}`,
  subjectNote: "Lists of commits show about 50 to 72 characters of the first line.",
  commit: "Commit",
  stageAndCommit: "Stage all and commit",
  amend: "Amend the last commit",
  stop: "Stop",
  options: "Commit options",
  amendLast: "Amend the last commit",
  noAmend: "Make a new commit",
  signOff: "Sign off",
  noSignOff: "Don't sign off",
  willSignOff: "The message ends with your Signed-off-by.",
  isPushed: "The last commit is on the remote already. After amending, the branch differs from what others have.",
  noIdentity: "Git has no name and e-mail for your commits yet.",
  resolveFirst: "Resolve the conflicts and stage the files first.",
  hooks: (names: string) => `This repository has hooks, programs that check a commit: ${names}. Run them?`,
  runHooks: "Run and commit",
  skipHooks: "Skip and commit",
  output: "Output of the hooks",
  inTerminal: "Commit in a terminal",
  done: (commit: string) => `Committed: ${commit}`,
  write: "Write a message",
  stopWriting: "Stop writing",
  writing: "The model is writing the message…",
  written: "The model has replaced your message.",
  replaces:
    "The model server holds a conversation in its memory. It will have to read it again after writing the message.",
  writeAnyway: "Write anyway",
  notWritten,
  run: {
    open: "Commit…",
    title: "Commit the changes of this run",
    files: "Files of the commit",
    submit: (files: number) => `Commit ${files} ${files === 1 ? "file" : "files"}`,
    none: "All changes of this run are committed or undone.",
    alsoStaged: "Staged with other content. The commit contains the file as it is now.",
    othersStay: "What else is staged stays staged.",
  },
};
