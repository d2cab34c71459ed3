/** Words of a model's test: what it is good for on this machine, and what would make it better. */
export const doctor = {
  title: "What it is good for here",
  untested: "Not tested on this machine yet.",
  about:
    "The test takes about a minute. It loads the model, has it call a tool, change a file in a scratch folder, and find a fact at the start of a long prompt. Your project is not touched.",
  billed: "Its requests count like any others at the service.",
  test: "Test the model",
  testAgain: "Test again",
  stop: "Stop the test",
  testing: "Testing. The model is busy meanwhile.",
  stopped: "The test was stopped.",
  other: (model: string) => `${model} is being tested. One model at a time.`,
  lastTest: "Last test:",
  took: (duration: string) => `took ${duration}`,
  verdicts: { agent: "Agent", helper: "Helper", chat: "Chat only", unusable: "Not usable" },
  /** What the verdict means; tokens = the window it was tested with. */
  sentences: {
    agent: (tokens: string) =>
      `Good as an agent with a ${tokens} window: it calls tools, makes edits and keeps a long task in view.`,
    helper: (tokens: string) =>
      `Good as a helper with a ${tokens} window: give it small tasks, and look at each change it makes.`,
    chat: (tokens: string) =>
      `Good for questions only, with a ${tokens} window: it cannot change files or run commands.`,
    unusable: (tokens: string) => `Not usable here with a ${tokens} window.`,
  },
  /** Why not better: the first step that went wrong. */
  because: {
    load: "It could not be loaded.",
    answer: "It gave no usable answer.",
    tools: "It did not call the tool it was given.",
    edit: "It did not make the edit it was asked for.",
    window: "It lost the start of a long prompt.",
    slow: "It writes too slowly for runs of its own.",
    small: "The window is too small for runs of its own.",
  },
  steps: {
    load: "Load into memory",
    answer: "Read and write",
    tools: "Call a tool",
    edit: "Change a file",
    window: "Keep a long prompt",
  },
  states: {
    waiting: "waiting",
    running: "running",
    ok: "passed",
    weak: "passed with trouble",
    failed: "failed",
    skipped: "left out",
  },
  facts: {
    /** Between two of them. */
    comma: ", ",
    reads: (tokens: string) => `reads ${tokens} tok/s`,
    writes: (speed: string) => `writes ${speed}`,
    calls: {
      native: "tool calls: native",
      react: "tool calls: as text (ReAct), read by gopi-web",
      xml: "tool calls: as text (XML), read by gopi-web",
    },
    repaired: "repaired before they were read",
    tries: (count: number) => `at try ${count}`,
    edited: "the file was changed as asked",
    held: (tokens: string) => `window ${tokens} held: the fact at the start was found`,
    lost: (tokens: string) => `window ${tokens} did not hold: the fact at the start was lost`,
    smaller: (tokens: string) => `only with a window of ${tokens}`,
    cut: (read: string, sent: string) => `the server read ${read} of ${sent} tokens`,
  },
  advice: {
    title: "What would help",
    smallerWindow: (tokens: string) =>
      `Use a window of ${tokens}. It takes less memory, and more of the model stays on the GPU.`,
    shorterWindow: (tokens: string) => `Use a window of ${tokens}. The model loses track in a longer one.`,
    use: (tokens: string) => `Use ${tokens}`,
    smallerQuantization: "Pull a smaller quantisation such as q4_K_M. It needs much less memory and is little worse.",
    kvCache: "Start Ollama with these two variables. The window then takes half the memory.",
    fasterModel: "It writes slowly on this machine. A smaller model answers sooner.",
    otherModel: (name: string) => `For agent work try ${name}.`,
    copy: "Copy the variables",
  },
};
