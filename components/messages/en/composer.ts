/** Messages of the composer. */

export const composer = {
  label: "Message",
  placeholder: {
    idle: "Ask anything. @ file, / command, ! shell",
    running: "Enter to send at the next step, Alt+Enter to queue until the run ends",
    waiting: "Enter sends this after your decision",
    noModel: "Write now, send when a model is ready",
    offline: "Offline. Your draft is kept",
    readOnly: "You're viewing this session",
  },
  /** Reason why Enter did not send. */
  refused: {
    noModel: "Not sent: no model is ready yet. Your text is kept.",
    offline: "Not sent: gopi-web isn't reachable. Your text is kept.",
  },
  /** Enter was pressed before the page was connected, or before the commands of extensions were loaded. */
  sendsWhenReady: "Sends as soon as everything is ready. Edit the text to hold it back.",
  attach: "Add to the message",
  send: "Send",
  stop: "Stop",
  mode: "Mode",
  modes: {
    ask: { name: "Ask", note: "Asks before it changes a file or runs a command" },
    edits: { name: "Accept edits", note: "Changes files without asking, asks before commands" },
    plan: { name: "Plan", note: "Only reads, then proposes a plan" },
    full: { name: "Full access", note: "Runs without asking, except commands that are blocked or can't be parsed" },
  },
  /** Follows the note of Full access, unless the settings turn the sandbox off. */
  fullInSandbox: ". Commands run in the system's sandbox where it works",
  model: "Model",
  noModel: "No model",
  context: (percent: string, window: string) => `${percent} of the ${window} context window used`,
  contextUnknown: "Context usage appears after the first answer",
  contextTitle: "Context",
  window: {
    inForce: "Current window",
    asked: "Requested",
    allocated: "Allocated by server",
    own: "Model maximum",
    unknown: "unknown",
  },
  nothingToCompact: "Nothing to summarize yet.",
  slash: {
    label: "Commands",
    arguments: { focus: "focus", title: "new title", model: "name", path: "path" },
    unknownChoice: (name: string, argument: string, choices: string) =>
      `/${name} doesn't accept “${argument}”. Use ${choices}.`,
    unknownModel: (name: string) => `No model is named ${name}. /model shows the models to choose from.`,
  },
  /** The text of the field is a command, such as `!npm test`. */
  userCommand: {
    added: "Runs in the project folder with your rights. The model gets the output with your next message.",
    shown: "Runs in the project folder with your rights. The model doesn't get the output.",
    waits: "It starts when the run ends.",
    empty: "Write a command after the exclamation mark. A space before it makes the text a message.",
  },
  images: "Images to send",
  image: (index: number) => `Image ${index}`,
  removeImage: (index: number) => `Remove image ${index}`,
  addingImage: "Adding image…",
  noVision: (model: string) => `${model} can't see images. Choose a model with vision, or remove the images.`,
  imageTooLarge: (megabytes: string) => `This image is larger than ${megabytes} MB.`,
  tooManyImages: (count: string) => `A message can have up to ${count} images.`,
  references: {
    notAdded: (name: string, reason: string) => `${name} was not added. ${reason}`,
    notText: (name: string) => `${name} was not added. Only text files up to 200,000 characters can be added.`,
    empty: "It has no text.",
    tooLong: (max: string) => `It has more than ${max} characters. Add fewer of its lines.`,
    tooMany: (max: string) => `Not added: a message can have up to ${max} files, folders and texts.`,
    pasted: (lines: number) => (lines === 1 ? "Pasted text" : `Pasted text, ${lines} lines`),
    needsText: "Write what to do with it, then send.",
    skillOff: (name: string) => `Not sent. ${name} is switched off: turn it on in Settings > Skills.`,
    skill: (name: string) => `Not sent. ${name} can't be used: see Settings > Skills.`,
    refused: (name: string, reason: string) => `Not sent. ${name}: ${reason} Remove it, then send again.`,
    tooLarge: (name: string, tokens: string, max: string) =>
      `Not sent. ${name} has ${tokens} tokens, and only ${max} fit. Add fewer of its lines.`,
    pastEnd: (name: string, lines: number) =>
      `Not sent. ${name} has only ${lines === 1 ? "1 line" : `${lines} lines`}. Choose other lines.`,
  },
  tooLong: (excess: string) => `${excess} characters too long`,
  notPasted: (excess: string) =>
    `Not pasted: the message would be ${excess} characters too long. Save the text as a file and mention it here.`,
};
