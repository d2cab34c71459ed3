/** Table of all client commands: input schema (parsed on receipt), result type and required access. */
import * as z from "zod/mini";
import type { LogReport, Welcome } from "./answers";
import { accessCommands } from "./access-commands";
import { automationCommands } from "./automation-commands";
import { channelCommands } from "./channel-commands";
import { defineCommand, idText, noInput } from "./command-input";
import { engineCommands } from "./engine-commands";
import { errorReportMaxChars } from "./error-report";
import { evalCommands } from "./eval-commands";
import { extensionCommands } from "./extension-commands";
import { imageCommands } from "./image-commands";
import { mcpCommands } from "./mcp-commands";
import { memoryCommands } from "./memory-commands";
import { modelCommands } from "./model-commands";
import { noticeCommands } from "./notice-commands";
import { openApiCommands } from "./openapi-commands";
import { promptCommands } from "./prompt-commands";
import { referenceCommands } from "./reference-commands";
import { reviewCommands } from "./review-commands";
import { searchCommands } from "./search-commands";
import { sessionCommands } from "./session-commands";
import type { RunningStatus } from "./status-report";
import { skillCommands } from "./skill-commands";
import { sourceChangeCommands } from "./source-change-commands";
import { sourceConflictCommands } from "./source-conflict-commands";
import { sourceCommands } from "./source-commands";
import { sourceHistoryCommands } from "./source-history-commands";
import { sourceMessageCommands } from "./source-message-commands";
import { sourceRefCommands } from "./source-ref-commands";
import { terminalCommands } from "./terminal-commands";
import { trialCommands } from "./trial-commands";
import { isSubjectTopic, type PushTopic } from "./topics";
import { webCommands } from "./web-commands";
import { workflowCommands } from "./workflow-commands";
import { worktreeCommands } from "./worktree-commands";
import { workspaceCommands } from "./workspace-commands";

/** Subscription of this client, until its connection ends, to what a topic reports about one subject. */
const subscription = z.object({ topic: z.custom<PushTopic>(isSubjectTopic), subject: idText });

export const commands = {
  "app.welcome": defineCommand<Welcome>()(noInput),
  "app.log": defineCommand<LogReport>()(noInput),
  /** Returns the state of the installation; waits at most some seconds for the model servers. */
  "server.status": defineCommand<RunningStatus>()(noInput),
  /** Reports an uncaught error of a page, which is logged and counted like those of the server. */
  "app.report_error": defineCommand<null>()(z.object({ text: z.string().check(z.maxLength(errorReportMaxChars)) })),
  "topic.subscribe": defineCommand<null>()(subscription),
  "topic.unsubscribe": defineCommand<null>()(subscription),
  ...workspaceCommands,
  ...sessionCommands,
  ...imageCommands,
  ...referenceCommands,
  ...modelCommands,
  ...accessCommands,
  ...terminalCommands,
  ...searchCommands,
  ...reviewCommands,
  ...sourceCommands,
  ...sourceChangeCommands,
  ...sourceMessageCommands,
  ...sourceConflictCommands,
  ...sourceHistoryCommands,
  ...sourceRefCommands,
  ...worktreeCommands,
  ...evalCommands,
  ...engineCommands,
  ...mcpCommands,
  ...openApiCommands,
  ...trialCommands,
  ...promptCommands,
  ...memoryCommands,
  ...webCommands,
  ...skillCommands,
  ...extensionCommands,
  ...workflowCommands,
  ...automationCommands,
  ...channelCommands,
  ...noticeCommands,
} as const;

export type CommandName = keyof typeof commands;
export type CommandInput<N extends CommandName> = z.infer<(typeof commands)[N]["input"]>;
/** Input as the caller writes it; ids are already branded. */
export type CommandRequest<N extends CommandName> = CommandInput<N>;
export type CommandOutput<N extends CommandName> = Exclude<(typeof commands)[N]["output"], undefined>;

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name);

export const commandNames: readonly CommandName[] = Object.keys(commands).filter(isCommandName);
