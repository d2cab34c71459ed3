/** Messages of tools of other programs. */
export const externalTools = {
  /** Before the name of the source. */
  from: "From",
  why: {
    first_use: "First call in this project",
    changed_definition: "Changed since you allowed it",
    read_external: "This session has read content from elsewhere",
    untrusted_folder: "From a folder that you don't trust",
    first_message: "First message of this session to this person",
    sends_file: "Sends a file of the project to a person",
    all_projects: "Every later session, of all projects, gets this note",
    new_host: "First request to this host",
    unseen_url: "Long address that only the model wrote: it may leak data",
    holds_secret: "Sends something that looks like a secret",
  },
  /** Before the host that a request goes to. */
  host: "Host",
  /** Before the hosts that get the words of a search; the later ones only if those before fail. */
  sentTo: "Sent to",
  sentToFirst: "Sent to the first of these that answers:",
  /** Before the name of a tool with its parameters. */
  parameters: "Parameters:",
  saysOfItself: "What it says about itself:",
  input: "Input of the call",
  noInput: "The call has no input.",
  files: "Files in the result",
  save: "Save",
  saveFile: (name: string) => `Save ${name}`,
  saveFailed: "The file couldn't be read. Try again.",
  /** Names of the fields of the program's own tools. */
  fields: {
    spawn: { task: "Task", look: "Reads only" },
    remember: { text: "Note", where: "Applies to", replaces: "Replaces" },
    recall: { query: "Words" },
    message: { channel: "To", text: "Text", file: "File" },
    web_search: { query: "Words" },
    web_fetch: { url: "Address", from: "From character" },
  },
  /** Values of these fields that are not free text. */
  values: {
    spawn: { look: { true: "yes", false: "no" } },
    remember: { where: { project: "this project", general: "all projects" } },
  },
};
