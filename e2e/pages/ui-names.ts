/**
 * Names of the parts of the English interface, by which page objects find them, as a user does. Repeated here because
 * e2e may not import the catalogue.
 */
export const uiNames = {
  message: "Message",
  stop: "Stop",
  commands: "Commands",
  mode: "Mode",
  modes: { ask: "Ask", edits: "Accept edits", plan: "Plan", full: "Full access" },
  queue: "Queued messages",
  editQueued: "Edit message",
  removeQueued: "Remove message",
  conversation: "Conversation",
  you: "You",
  allowOnce: "Allow once",
  alwaysAllow: "Always allow",
  deny: "Deny",
  denyWhy: "Deny and say why",
  reason: "What should it do instead?",
  resume: "Continue",
  sessions: "Sessions",
  openFolder: "Open folder",
  noSessions: "No sessions yet",
  nothingHere: "Page not found",
  suggestedModels: "Suggested models",
  noModelServer: "No model server at",
  signIn: "Sign in",
  repaired: "repaired",
  compacted: /^Compacted .* → /,
  /** Part of the summary request that the model receives. */
  summaryRequest: "Write the summary now",
} as const;
