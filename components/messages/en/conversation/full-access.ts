/** The warning of the message field in Full access. */
export const fullAccess = {
  warning: "Full access: commands run without asking. Ends with this session or a restart.",
  fenced: "Full access: commands run without asking, in a sandbox. Ends with this session or a restart.",
  missing: "There's no sandbox here, so nothing confines them.",
  /** Before and after the command that provides one. */
  fix: { before: "To get one, run ", after: ", then restart gopi-web." },
  leave: "Back to Ask",
};
