/**
 * The sections of the groups Models and Agent, and label, note and further words of each of their settings. `words` find a section or a setting in the
 * search, besides its label, note and key.
 */
export const agentSections = {
  model: {
    title: "Models",
    words: "ollama server address download thinking temperature context window keep in memory",
    fields: {
      ollamaHost: {
        label: "Address",
        note: "Leave empty to use OLLAMA_HOST, or this machine.",
        bad: (text: string) => `This is not an address: ${text}`,
        words: "url server port endpoint remote",
      },
      engineProgram: {
        label: "Path of llama-server",
        note: "Leave empty to use the one found on this machine, or downloaded here.",
        example: "/usr/local/bin/llama-server",
        bad: () => "Enter the whole path, from the root folder.",
        words: "llama.cpp llama-server executable binary gguf",
      },
      engineMirror: {
        label: "Mirror of llama.cpp's releases",
        note: "Used instead of GitHub. The name of the release and of the archive are added to it.",
        example: "https://github.com/ggml-org/llama.cpp/releases/download",
        bad: (text: string) => `This is not an address that starts with https: ${text}`,
        words: "llama.cpp github proxy download",
      },
      modelHub: {
        label: "Mirror of Hugging Face",
        note: "Used instead of huggingface.co. Leave empty to use HF_ENDPOINT if it is set.",
        example: "https://huggingface.co",
        bad: (text: string) => `This is not an address that starts with https: ${text}`,
        words: "hugging face huggingface proxy download gguf hf_endpoint",
      },
      model: {
        label: "Model",
        note: "Existing sessions keep their model until you change it there.",
        words: "default llm",
      },
      contextMaxTokens: {
        label: "Maximum context window",
        note: "Automatic picks what fits this machine. Larger windows use more memory.",
        words: "num_ctx length size memory limit",
      },
      think: {
        label: "Thinking",
        note: "Lets models that support it think before they answer.",
        words: "reasoning chain of thought",
      },
      thinkMaxTokens: {
        label: "Thinking limit",
        note: "In tokens. Past this, the model is asked to answer without thinking. 0 means no limit.",
        words: "reasoning budget",
      },
      toolCalling: {
        label: "Tool calls",
        note: "For models without a choice of their own. Automatic goes by what each model supports and how it has behaved.",
        words: "function calling format react xml native",
      },
      temperature: {
        label: "Temperature",
        note: "For Ollama models, from the next answer on. 0 is precise, 1 is creative. Leave empty for the model's default.",
        example: "Automatic",
        bad: () => "Enter a number from 0 to 2, or leave empty.",
        words: "creativity randomness sampling",
      },
      keepAliveMinutes: {
        label: "Keep model in memory",
        note: "How long after each answer. A model in memory replies right away.",
        words: "unload loaded vram ram",
      },
    },
  },
  connections: {
    title: "Connections",
    words: "api key provider openai lm studio llama.cpp vllm",
    fields: {
      connection: {
        label: "Model server",
        note: "Existing sessions keep their server until you change their model.",
        words: "default provider openai",
      },
      connectionOrder: { label: "Order of connections", words: "sort providers" },
    },
  },
  evals: {
    title: "Compare models",
    words: "evals compare models benchmark tasks solved which model",
    fields: {},
  },
  agent: {
    title: "Agent",
    words: "run steps limit timeout retries compaction tools output",
    fields: {
      maxOutputTokens: {
        label: "Answer limit",
        note: "Tokens of one answer with its thinking, for models without a limit of their own. 256 to 16384.",
        words: "max_tokens num_predict length cut",
      },
      maxSteps: {
        label: "Step limit",
        note: "A run pauses after this many steps and offers to continue. 1 to 500.",
        words: "iterations turns loop",
      },
      maxRunMinutes: {
        label: "Time limit",
        note: "In minutes; time spent waiting for you doesn't count. 0 means no limit.",
        words: "timeout duration",
      },
      retries: {
        label: "Retries",
        note: "Attempts after the model server fails, with growing pauses. 0 to 10.",
        words: "attempts errors reconnect",
      },
      stallSeconds: {
        label: "Give up after silence",
        note: "In seconds, in the middle of an answer. 0 means no limit.",
        words: "stall timeout hang",
      },
      compactionPercent: {
        label: "Compact at",
        note: "Percent of the context window. Older messages are summarized beyond it. 30 to 85.",
        words: "compaction summary threshold context",
      },
      keptMessages: {
        label: "Messages to keep",
        note: "The newest messages stay word for word when older ones are summarized. 1 to 40.",
        words: "compaction recent history",
      },
      pinnedPercent: {
        label: "Pinned files",
        note: "Percent of the context window. Beyond it, the files used longest ago are no longer sent. 5 to 40.",
        words: "budget context focus",
      },
      treeDepth: {
        label: "Project tree depth",
        note: "Folder levels the model sees in its first message. 1 to 5.",
        words: "directory levels",
      },
      treeFolderEntries: { label: "Entries per folder", note: "In the same tree. 5 to 500.", words: "directory files" },
      bashTimeoutSeconds: {
        label: "Command timeout",
        note: "In seconds, when the model doesn't ask for more. 1 to 600.",
        words: "shell duration kill",
      },
      bashOutputBytes: {
        label: "Command output",
        note: "Bytes the model gets, from the start and the end. The full output stays one click away.",
        words: "shell truncate",
      },
      readLines: { label: "Lines per read", note: "20 to 5,000.", words: "file truncate" },
      grepMatches: { label: "Matches per search", note: "5 to 1,000.", words: "results truncate" },
      findEntries: { label: "Files per find", note: "10 to 1,000.", words: "results glob truncate" },
      sourceAssistedBy: {
        label: "Commits name the model",
        note: "The last line of the message of a commit of the agent's changes is “Assisted-by:” with the model. You stay the author.",
        words: "git commit trailer co-author message source control",
      },
      reviewAcceptCommitted: {
        label: "A commit accepts changes",
        note: "What you commit in the source control panel needs no review any more.",
        words: "git commit review accept keep hunk source control",
      },
      modelTitles: {
        label: "Titles by the model",
        note: "After the first answer the model is asked for a short title, while nothing else runs. With some models the next message then takes longer to start.",
        words: "session name rename summary automatic",
      },
      autoFill: {
        label: "README and configuration",
        note: "Sent with the first message as far as there is room; AGENTS.md always is.",
        words: "agents.md package.json first message",
      },
      keepReadFiles: {
        label: "Keep files that were read",
        note: "After older messages are summarized, files that the agent has read whole are sent again as they are now, in the room that pinned files leave.",
        words: "focus pinned context compaction",
      },
    },
  },
  permissions: {
    title: "Permissions",
    words: "rules allow deny mode blocked commands protected files ignored folders environment variables sandbox",
    fields: {
      mode: {
        label: "Mode for new sessions",
        note: "Full access can only be turned on inside a session. It ends with that session or a restart.",
        words: "approval ask edits plan",
      },
      blockedWords: {
        label: "Blocked commands",
        note: "Shell commands that run one of these programs are refused, anywhere in the line and in any spelling that can be parsed.",
        add: "Add command",
        words: "deny blacklist dangerous rm sudo",
      },
      protectedNames: {
        label: "Protected files",
        note: "Files and folders with these names can't be read or written. Built-in names such as .env and key files are always protected.",
        add: "Add name",
        words: "secrets env keys blacklist",
      },
      ignoredFolders: {
        label: "Ignored folders",
        note: "Search, file lists and the project tree skip these folders, even without a .gitignore. Naming one directly still works. Undo leaves them out too, except those that may hold sources: dist, build, out, target and _build.",
        add: "Add folder name",
        words: "exclude gitignore node_modules",
      },
      shellEnvironment: {
        label: "Shell environment",
        note: "Commands see only basic variables. List any others they may see, by name only.",
        add: "Add variable",
        words: "env path variables",
      },
      sandbox: {
        label: "Sandbox commands",
        note: "The operating system confines shell commands to the project and the folders below. Everything else is read-only, keys and passwords are hidden, the network is off, and /tmp is private and temporary.",
        words: "isolation bubblewrap seatbelt security",
      },
      sandboxNetwork: { label: "Allow sandboxed commands to use the network", words: "internet offline" },
      sandboxWritable: {
        label: "Folders sandboxed commands may write",
        note: "Besides the project: caches of package managers. Folders that don't exist, and hidden ones, have no effect.",
        add: "Add folder, such as ~/.npm",
        words: "cache npm pip cargo folders",
      },
    },
  },
  tools: {
    title: "Tools",
    words: "mcp servers model context protocol paste import claude cursor approve stdio json mcp.json",
    fields: {},
  },
  skills: {
    title: "Skills",
    words: "skill.md agent skills instructions guide folder slash claude agents",
    fields: {},
  },
  extensions: {
    title: "Extensions",
    words: "scripts hooks gate listeners plugins slash commands yaml bash python node",
    fields: {},
  },
  workflows: {
    title: "Workflows",
    words: "workflows automation steps pipeline recipe yaml prompt command inputs",
    fields: {},
  },
  automations: {
    title: "Automations",
    words: "schedule cron timer nightly every day unattended rehearsal trigger watch files",
    fields: {},
  },
  channels: {
    title: "Channels",
    words: "telegram bot messenger phone pairing botfather token chat remote approve people",
    fields: {},
  },
  memory: {
    title: "Memory",
    words: "remember recall notes diary calendar identity soul user agents memory.md",
    fields: {
      memory: {
        label: "Memory",
        note: "Gives these files to new sessions. The model can also note facts and find them again once one file exists.",
        words: "remember recall notes user.md soul identity",
      },
      diary: {
        label: "Diary",
        note: "Adds a line for each run that ends: time, project, title, the answer's first sentence, changed files. The last three days are given to new sessions.",
        words: "journal log history days",
      },
    },
  },
  web: {
    title: "Web",
    words: "internet search engine fetch page browse searxng brave tavily bocha duckduckgo hosts",
    fields: {},
  },
  prompts: {
    title: "Prompts",
    words: "system prompt instructions rules override edit tokens tools switch off budget",
    fields: {
      disabledTools: {
        label: "Built-in tools that are off",
        note: "Described to the model in every request. New sessions don't get a tool that is off.",
        words: "switch off remove tool",
      },
    },
  },
};
