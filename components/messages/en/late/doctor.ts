/** Messages of a model's test: its suitability on this machine, and advice. */
export const doctor = {
  title: "What it can do here",
  untested: "Not tested on this machine yet.",
  about:
    "Takes a minute or two. The model has to call tools, edit a file in a scratch folder, and recall a fact from the start of a long prompt; then it's measured what its server reads again. Your project isn't touched.",
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
    nested: "It didn't call the tool through the toolbox.",
    window: "It forgot the start of a long prompt.",
    conversations: "It couldn't be measured.",
    template: "It couldn't be measured.",
    slow: "It's too slow to work on its own.",
    small: "The window is too small to work on its own.",
  },
  steps: {
    load: "Load into memory",
    answer: "Read and write",
    tools: "Call a tool",
    edit: "Change a file",
    nested: "Call through the toolbox",
    window: "Remember a long prompt",
    conversations: "Keep two conversations",
    template: "Keep tools in place",
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
    nested: "called a tool inside the toolbox",
    rewritten: "in another form, which gopi-web repaired",
    keepsTwo: "the server keeps both: a subagent doesn't make it read your conversation again",
    keepsOne: "the server keeps one: after each subagent it reads your conversation again",
    keepsUnknown: "unknown: the server's figures don't tell what it read again",
    toolsStay: "the tools stay where they are, so only new text is read",
    toolsMove: "the model's chat template moves the tools, so every request is read from the start",
    toolsUnknown: "unknown: the server's figures don't tell what it read again",
    cached: (cached: string, prompt: string) => `${cached} of ${prompt} tokens weren't read again`,
    readAgain: (again: string, first: string) => `first reading ${first}, second ${again}`,
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
    textModes: { react: "ReAct", xml: "XML" },
    textTools: (mode: string) =>
      `Use tool calls as text (${mode}). Native ones move with each request here, so everything is read from the start; as text they stay at the beginning.`,
    fewTools:
      "Don't rely on the toolbox with this model. Connect only a few tools, so that they fit into the prompt itself, or use a larger model.",
    oneConversation:
      "Let the server keep two conversations before you use subagents: OLLAMA_NUM_PARALLEL=2 for Ollama, --parallel 2 for llama-server. It takes more memory.",
    rereads:
      "For long tasks, try another model. This one reads everything again in each step, and calls no tools as text.",
    otherModel: (name: string) => `For agent work, try ${name}.`,
    copy: "Copy variables",
  },
};
