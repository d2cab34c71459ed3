/** The Chinese messages of an open session that the first screen does not show. */
export * from "./zh-CN/conversation/approval";
export * from "./zh-CN/conversation/compaction";
export * from "./zh-CN/conversation/full-access";
export * from "./zh-CN/conversation/message-actions";
export * from "./zh-CN/conversation/origins";
export * from "./zh-CN/conversation/own-runs";
export * from "./zh-CN/conversation/phase-chip";
export * from "./zh-CN/conversation/plan";
export * from "./zh-CN/conversation/run-details";
export * from "./zh-CN/conversation/sandbox-failures";
export * from "./zh-CN/conversation/server-faults";
export * from "./zh-CN/conversation/stopped-answer";
export * from "./zh-CN/conversation/subagent";
export * from "./zh-CN/conversation/tool-failures";
export * from "./zh-CN/conversation/unrun-call";
export * from "./zh-CN/conversation/user-command";
export * from "./zh-CN/conversation/window-limit";
