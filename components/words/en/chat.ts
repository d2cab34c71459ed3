/** Words of the conversation. */
const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const chat = {
  label: "Conversation",
  jump: "Jump to latest",
  loadingOlder: "Loading earlier messages",
  start: "The session starts here",
  you: "You",
  copyMessage: "Copy this message",
  thinking: (duration: string) => `Thinking… ${duration}`,
  thought: (duration: string) => `Thought for ${duration}`,
  thoughtBriefly: "Thought briefly",
  /** How long is not known. */
  thoughtSome: "Thought",
  phase: {
    queued: "Waiting for another session's answer",
    loading: "Loading the model into memory",
    reading: "Reading the prompt",
    thinking: "Thinking",
    writing: "Writing",
    calling: "Preparing a tool call",
  },
  waitingBehind: (count: number) => `Waiting, ${plural(count, "request", "requests")} before this one`,
  readingTokens: (tokens: string) => `Reading ${tokens} tokens`,
  /** How long a phase has been going on, and takes by the model's own past. */
  about: (expected: string) => `about ${expected}`,
  ofAbout: (elapsed: string, expected: string) => `${elapsed} of about ${expected}`,
  overAbout: (elapsed: string, expected: string) => `${elapsed}, usually about ${expected}`,
  thinkingTokens: (tokens: string) => `Thinking, ${tokens} tokens`,
  writingAt: (speed: string) => `Writing, ${speed}`,
  preparing: (tool: string) => `Preparing ${tool}`,
  tokens: (count: string) => `${count} tokens`,
  /** The same for the status bar, in the fewest words. */
  chip: {
    queued: (count: number) => `queued, ${count} before`,
    reading: (tokens: string) => `reading ${tokens}`,
    calling: (tool: string) => `preparing ${tool}`,
  },
  runFirst: "Run first",
  answerNow: "Answer now",
  offerNotes: {
    runFirst: "Goes before the others that wait. What is being answered now is not interrupted.",
    answerNow: "Ends the thinking and asks again without it.",
  },
  quiet: (duration: string) =>
    `No news from the model server for ${duration}. It may be busy or stuck; Stop ends the wait.`,
  image: "Image",
  stop: {
    length: "The answer was cut off: the model reached its longest output.",
    error: "This answer ended with an error.",
    aborted: "Stopped.",
    interrupted: "Interrupted.",
  },
  run: {
    files: (count: number) => `${plural(count, "file", "files")} changed`,
    commands: (count: number) => plural(count, "command", "commands"),
    reads: (count: number) => plural(count, "file read", "files read"),
    done: "Done",
    aborted: "Stopped",
    error: "Ended with an error",
    limit: "Paused",
    interrupted: "Interrupted by a restart",
  },
  /** Why a run paused, beside its figures. */
  pausedBy: {
    step_limit: "Paused at the step limit",
    time_limit: "Paused at the time limit",
    loop_detected: "Paused: it repeated itself",
    repeated_text: "Paused: it wrote the same again and again",
    think_limit: "Paused: it thought too long",
    output_limit: "Paused: it wrote too much",
    window_full: "Paused: the window was full",
    message_too_large: "Paused: the message was too large",
  },
  details: {
    label: "Details of this run",
    steps: "Steps",
    load: "Loading the model",
    read: "Reading",
    write: "Writing",
    prefix: "Prefix kept",
    prefixUnknown: "not told by this server",
  },
  limit: (steps: number) =>
    `The run paused after ${plural(steps, "step", "steps")}, its limit. Continue when you want it to go on.`,
  interrupted: "The program was restarted while this run was going. Nothing was started again by itself.",
  resume: "Continue",
  goOn: "Go on",
  /** Said to the model in the user's name, after an error ended the run. */
  goOnText: "Go on where you stopped.",
  steer: "Say what to do instead",
  compactNow: "Compact now",
  modelSettings: "Model settings",
  connectionSettings: "Connections",
  pull: (model: string) => `Pull ${model}`,
  raise: (window: string) => `Raise to ${window}`,
  raiseFor: (window: string, memory: string) => `Raise to ${window} (needs about ${memory})`,
  lower: (window: string) => `Use a ${window} window`,
  noStep: {
    window_up: "A larger window does not fit this machine.",
    window_down: "There is no smaller window. Choose a smaller model.",
  },
  capped: (window: string) =>
    `The server allocates ${window}, whatever is asked for. Its own settings decide (for Ollama: OLLAMA_CONTEXT_LENGTH).`,
  windowLater: "The window can be changed when the run has ended.",
  memoryHint: "A smaller quantisation of the same model (for example q4_K_M) or a smaller model needs less, too.",
  cut: (sent: string, read: string) =>
    `The server cut the prompt: ${sent} tokens were sent, it read ${read}. The model has not seen the beginning.`,
  loop: {
    one: (call: string, times: number) => `It called ${call} ${times} times with the same result.`,
    changing: (call: string, times: number) =>
      `It called ${call} ${times} times in a row, each time with another result.`,
    several: (period: number, times: number, call: string) =>
      `It made the same ${period} calls ${times} times with the same results, last ${call}.`,
  },
  thoughtTooLong: (tokens: string) => `It has thought for ${tokens} tokens, longer than it may.`,
  tooLarge: {
    window_full: (tokens: string, window: string) =>
      `The conversation needs ${tokens} tokens; the window has ${window}.`,
    message_too_large: (tokens: string, window: string) =>
      `This message alone takes ${tokens} tokens; the window has ${window}. Shorten it, or raise the window.`,
  },
  unreachable: (host: string) => `No model server answers at ${host}. Start it, or check the address.`,
  missing: (model: string) => `${model} is not installed on the model server.`,
  /** What is asked differently at the next try. */
  changed: {
    no_tools: "This model takes no tool calls of the usual kind. From now on its calls are read from its text.",
    think_limit: "It thought longer than it may. Asked again without thinking.",
    answer_now: "Asked again without thinking, as you wished.",
    repeated_text: "Its thinking went round in circles. Asked again without thinking.",
    window_full: "The server refused the request as too long. It is made smaller and asked again.",
  },
  retrying: (attempt: number, of: number, duration: string) => `Trying again in ${duration} (${attempt} of ${of})`,
  retried: (attempt: number, of: number) => `Tried again (${attempt} of ${of})`,
  compaction: {
    running: (tokens: string) => `Summarising the older part of ${tokens} tokens…`,
    done: (before: string, after: string) => `Compacted ${before} → ${after}`,
    failed: "The older part was not summarised",
    summary: "Summary",
    why: {
      threshold: "the window was 60% full",
      window: "the server refused the request as too long",
      user: "asked by you",
    },
    focus: (text: string) => `Kept in mind: ${text}.`,
    mechanical: "Made without the model: it gave no summary, so this is the program's own list.",
    shortened: (tokens: string) => `Old results were shortened to ${tokens} tokens each.`,
    edited: "Edited by you.",
    edit: "Edit the summary",
    editNote: "The model reads your words in place of its own from the next message on.",
    editLater: "The summary can be edited when the run has ended.",
  },
  code: { wrap: "Wrap lines", unwrap: "Do not wrap lines", copy: "Copy the code", plain: "text" },
  remoteImage: (host: string) => `Image on ${host}`,
  remoteImageNote: "Pictures from the network are not loaded. This link opens it.",
  blockedLink: "This address is not opened",
  task: { done: "Done", open: "To do" },
  find: {
    label: "Find in this conversation",
    next: "Next hit",
    previous: "Previous hit",
    count: (index: number, total: number) => `${index} of ${total}`,
    more: (total: number) => `${total} or more`,
    none: "No hits",
  },
  empty: {
    recent: "Recent sessions",
    starters: {
      explain: "Explain how this project is built",
      tests: "Run the tests and fix what fails",
      types: "Write types for the public interface",
      readme: "Write a README for this project",
      review: "Review the last change",
    },
  },
  announceDone: "The run has ended",
};
