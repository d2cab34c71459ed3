/** Words of the composer. */
export const composer = {
  label: "Message",
  placeholder: {
    idle: "Ask for a change or a question",
    running: "Enter steers the run",
    waiting: "Enter queues this; use Deny and say why to redirect",
    noModel: "Write now, send when a model is ready",
    offline: "Offline; your draft is kept",
    readOnly: "You are watching this session",
  },
  /** Why Enter did not send. */
  refused: {
    noModel: "Not sent: no model is ready yet. Your text is kept.",
    offline: "Not sent: the connection is away. Your text is kept.",
  },
  send: "Send",
  stop: "Stop",
  mode: "Mode",
  modes: {
    ask: { name: "Ask", note: "Asks before it changes a file or runs a command" },
    edits: { name: "Accept edits", note: "Changes files by itself, asks before commands" },
    plan: { name: "Plan", note: "Only reads, and proposes a plan" },
    full: { name: "Full access", note: "Runs everything without asking, in this session only" },
  },
  fullWarning: "Full access: commands run without asking. It ends with this session or a restart.",
  leaveFull: "Back to Ask",
  model: "Model",
  noModel: "No model",
  noTools: "cannot call tools",
  context: (percent: string, window: string) => `${percent} of the ${window} context window is used`,
  contextUnknown: "Context use is known after the first answer",
  queued: { steer: "Next step", followUp: "After this run", idle: "After your next message" },
  queue: "Waiting messages",
  editQueued: "Edit this message",
  removeQueued: "Remove this message",
  tooLong: (excess: string) => `${excess} characters too long`,
};
