/** Messages of the conversation. */
import { tokenCountText } from "./token-count-text";

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const limit = (steps: number): string =>
  `Paused after ${plural(steps, "step", "steps")}, the limit for one run. Continue when you're ready.`;
const missing = (model: string): string => `${model} isn't installed on the model server.`;

export const chat = {
  limit,
  missing,
  label: "Conversation",
  jump: "Jump to latest",
  loadingOlder: "Loading earlier messages",
  start: "Start of session",
  you: "You",
  copyMessage: "Copy message",
  thinking: (duration: string) => `Thinking… ${duration}`,
  thought: (duration: string) => `Thought for ${duration}`,
  thoughtBriefly: "Thought briefly",
  /** The duration is unknown. */
  thoughtSome: "Thought",
  phase: {
    queued: "Waiting for another session",
    loading: "Loading model into memory",
    reading: "Reading prompt",
    thinking: "Thinking",
    writing: "Writing",
    calling: "Preparing a tool call",
  },
  waitingBehind: (count: number) => `Waiting behind ${plural(count, "request", "requests")}`,
  readingPart: (read: string, tokens: string) => `Reading ${read} of ${tokenCountText(tokens)}`,
  readingTokens: (tokens: string) => `Reading ${tokenCountText(tokens)}`,
  /** Elapsed time of a phase, and the expected time from the model's earlier runs. */
  about: (expected: string) => `about ${expected}`,
  ofAbout: (elapsed: string, expected: string) => `${elapsed} of about ${expected}`,
  overAbout: (elapsed: string, expected: string) => `${elapsed}, usually about ${expected}`,
  thinkingTokens: (tokens: string) => `Thinking, ${tokenCountText(tokens)}`,
  writingAt: (speed: string) => `Writing, ${speed}`,
  preparing: (tool: string) => `Preparing ${tool}`,
  tokens: tokenCountText,
  runFirst: "Run first",
  answerNow: "Answer now",
  offerNotes: {
    runFirst: "Moves ahead of other waiting requests. The current answer isn't interrupted.",
    answerNow: "Stops thinking and asks for an answer right away.",
  },
  quiet: (duration: string) =>
    `The model server has been silent for ${duration}. It may be busy or stuck. Press Stop to give up.`,
  images: (count: number) => (count === 1 ? "1 image" : `${count} images`),
  references: (count: number) => (count === 1 ? "1 attachment" : `${count} attachments`),
  image: (index: number) => `Image ${index}`,
  run: {
    files: (count: number) => `${plural(count, "file", "files")} changed`,
    commands: (count: number) => plural(count, "command", "commands"),
    /** Calls that the user denied, or that were refused. */
    refused: (count: number) => `${count} refused`,
    reads: (count: number) => plural(count, "file read", "files read"),
    review: "Review",
    undo: (count: number) => `Undo ${plural(count, "file", "files")}…`,
    /** After the number of files that a run changed. */
    undone: "undone",
    undoRun: "Undo…",
    undoRunNote: "Of this run and those after it",
    done: "Done",
    aborted: "Stopped",
    error: "Failed",
    limit: "Paused",
    interrupted: "Interrupted by a restart",
    waited: (duration: string) => `${duration} for you`,
  },
  /** Reason why a run paused, next to its figures. */
  pausedBy: {
    step_limit: "Paused at step limit",
    time_limit: "Paused at time limit",
    loop_detected: "Paused: stuck in a loop",
    repeated_text: "Paused: repeating itself",
    think_limit: "Paused: thought too long",
    output_limit: "Paused: output too long",
    window_full: "Paused: context window full",
    message_too_large: "Paused: message too large",
  },
  plan: {
    carryOut: "Carry out this plan",
    carryOutEdits: "Carry out and accept edits",
    /** Sent to the model as the user's message. */
    text: "Carry out this plan.",
  },
  interrupted: "gopi-web restarted during this run. Nothing was resumed automatically.",
  resume: "Continue",
  goOn: "Continue",
  /** Sent to the model as the user's message after an error ended the run. */
  goOnText: "Continue where you stopped.",
  steer: "Give new instructions",
  compactNow: "Compact now",
  modelSettings: "Model settings",
  connectionSettings: "Connections",
  pull: (model: string) => `Download ${model}`,
  raise: (window: string) => `Raise to ${window}`,
  raiseFor: (window: string, memory: string) => `Raise to ${window} (needs about ${memory})`,
  lower: (window: string) => `Use a window of ${window}`,
  capped: (window: string) =>
    `The server always allocates a ${window} window. Change it in the server's own settings (OLLAMA_CONTEXT_LENGTH for Ollama).`,
  windowLater: "You can change the window when the run ends.",
  memoryHint: "A smaller quantization of this model (such as q4_K_M) or a smaller model also needs less memory.",
  /** Change of the next attempt. */
  changed: {
    no_tools: "This model doesn't support native tool calls. From now on, calls are read from its text.",
    think_limit: "Thinking passed its limit. Retried without thinking.",
    no_thinking: "This model doesn't support thinking. Retried without it.",
    no_think_level: "This model doesn't support that thinking level. Retried with thinking on.",
    answer_now: "Answering without thinking, as you asked.",
    output_limit: "The answer filled the window. Making room and retrying.",
    repeated_text: "Thinking went in circles. Retried without thinking.",
    lost_call: "The model started a tool call but never finished it. Asked again.",
    window_full: "The server refused the request as too long. Trying to shorten it.",
  },
  retrying: (attempt: number, max: number, duration: string) => `Retrying in ${duration} (${attempt} of ${max})`,
  retried: (attempt: number, max: number) => `Retried (${attempt} of ${max})`,
  code: { wrap: "Wrap lines", unwrap: "Don't wrap lines", copy: "Copy code", plain: "text" },
  remoteImage: (host: string) => `Image on ${host}`,
  remoteImageNote: "Remote images aren't loaded. This link opens the image.",
  blockedLink: "This link is blocked",
  task: { done: "Done", open: "To do" },
  find: {
    label: "Find in conversation",
    next: "Next match",
    previous: "Previous match",
    count: (index: number, total: number) => `${index} of ${total}`,
    more: (total: number) => `${total}+`,
    none: "No matches",
  },
  empty: {
    recent: "Recent sessions",
    starters: {
      new: "Start something new in this folder",
      explain: "Explain how this project works",
      tests: "Run the tests and fix what fails",
      write_tests: "Write tests for the most important code",
      types: "Write types for the public interface",
      tidy: "Find code that could be simpler",
      readme: "Write a README for this project",
      review: "Review the last commit",
      summarize: "Summarize these documents",
      proofread: "Proofread these documents",
    },
    /** Starters by what is in the project. */
    runTests: (command: string) => `Run ${command} and fix what fails`,
    todos: (folder: string, count: string) => `Go through the TODOs in ${folder} (${count})`,
    reviewCommit: (subject: string) => `Review the last commit: ${subject}`,
  },
  restore: {
    undone: { summary: (count: number) => `Undone: ${plural(count, "file", "files")}`, reverse: "Redo…" },
    redone: { summary: (count: number) => `Redone: ${plural(count, "file", "files")}`, reverse: "Undo…" },
  },
  openFile: "Open in editor",
  noFile: (path: string) => `There is no file ${path} in this project.`,
  isFolder: (path: string) => `${path} is a folder.`,
  toolSettings: {
    blocked: "Blocked commands",
    protected: "Protected files",
    rules: "Rules",
    extensions: "Extensions",
    tools: "Tools",
  },
};
