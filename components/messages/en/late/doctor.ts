/** Messages of a model's test: its suitability on this machine, and advice. */
export const doctor = {
  title: "What it can do here",
  untested: "Not tested on this machine yet.",
  about:
    "Takes about a minute. The model has to call a tool, edit a file in a scratch folder, and recall a fact from the start of a long prompt. Your project isn't touched.",
  billed: "The service bills these requests like any others.",
  test: "Test model",
  testAgain: "Test again",
  stop: "Stop test",
  testing: "Testing… The model is busy until it's done.",
  stopped: "Test stopped.",
  other: (model: string) => `Testing ${model} right now. One model at a time.`,
  lastTest: "Last test:",
  took: (duration: string) => `took ${duration}`,
  /** Explanation of the verdict; tokens = the window of the test. */
  sentences: {
    agent: (tokens: string) =>
      `Works as an agent with a ${tokens} window: it calls tools, edits files, and keeps track of long tasks.`,
    helper: (tokens: string) => `Works as a helper with a ${tokens} window: give it small tasks and check each change.`,
    chat: (tokens: string) =>
      `Only good for questions, with a ${tokens} window: it can't change files or run commands.`,
    unusable: (tokens: string) => `Not usable here with a ${tokens} window.`,
  },
  /** Reason against a better verdict: the first failed step. */
  because: {
    load: "It couldn't be loaded.",
    answer: "It didn't give a usable answer.",
    tools: "It didn't call the tool it was given.",
    edit: "It didn't make the requested edit.",
    window: "It forgot the start of a long prompt.",
    slow: "It's too slow to work on its own.",
    small: "The window is too small to work on its own.",
  },
  steps: {
    load: "Load into memory",
    answer: "Read and write",
    tools: "Call a tool",
    edit: "Change a file",
    window: "Remember a long prompt",
  },
  states: {
    waiting: "waiting",
    running: "running",
    ok: "passed",
    weak: "passed with issues",
    failed: "failed",
    skipped: "skipped",
  },
  facts: {
    /** Separator between two of them. */
    comma: ", ",
    reads: (tokens: string) => `reads ${tokens} tok/s`,
    writes: (speed: string) => `writes ${speed}`,
    calls: {
      native: "tool calls: native",
      react: "tool calls: as text (ReAct)",
      xml: "tool calls: as text (XML)",
    },
    repaired: "arguments repaired",
    tries: (count: number) => `on attempt ${count}`,
    edited: "file edited as asked",
    held: (tokens: string) => `recalled the start of a ${tokens} window`,
    lost: (tokens: string) => `forgot the start of a ${tokens} window`,
    smaller: (tokens: string) => `only with a ${tokens} window`,
    cut: (read: string, sent: string) => `the server read ${read} of ${sent} tokens`,
  },
  advice: {
    title: "How to improve it",
    smallerWindow: (tokens: string) =>
      `Use a window of ${tokens}. It takes less memory, so more of the model fits on the GPU.`,
    shorterWindow: (tokens: string) => `Use a window of ${tokens}. The model loses track in longer ones.`,
    use: (tokens: string) => `Use ${tokens}`,
    smallerQuantization:
      "Download a smaller quantization such as q4_K_M. It needs far less memory for little loss in quality.",
    kvCache: "Start Ollama with these two variables to halve the memory the window takes.",
    fasterModel: "It's slow on this machine. A smaller model answers sooner.",
    otherModel: (name: string) => `For agent work, try ${name}.`,
    copy: "Copy variables",
  },
};
