/** The English messages of an open session that the first screen does not show. */
export * from "./en/conversation/approval";
export * from "./en/conversation/compaction";
export * from "./en/conversation/full-access";
export * from "./en/conversation/message-actions";
export * from "./en/conversation/origins";
export * from "./en/conversation/own-runs";
export * from "./en/conversation/phase-chip";
export * from "./en/conversation/plan";
export * from "./en/conversation/run-details";
export * from "./en/conversation/sandbox-failures";
export * from "./en/conversation/server-faults";
export * from "./en/conversation/stopped-answer";
export * from "./en/conversation/subagent";
export * from "./en/conversation/tool-failures";
export * from "./en/conversation/unrun-call";
export * from "./en/conversation/user-command";
export * from "./en/conversation/window-limit";
