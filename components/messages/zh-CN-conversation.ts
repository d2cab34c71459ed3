/** The Chinese messages of an open session that the first screen does not show. */
import { approval } from "./zh-CN/conversation/approval";
import { compaction } from "./zh-CN/conversation/compaction";
import { fullAccess } from "./zh-CN/conversation/full-access";
import { messageActions } from "./zh-CN/conversation/message-actions";
import { origins } from "./zh-CN/conversation/origins";
import { ownRuns } from "./zh-CN/conversation/own-runs";
import { phaseChip } from "./zh-CN/conversation/phase-chip";
import { plan } from "./zh-CN/conversation/plan";
import { runDetails } from "./zh-CN/conversation/run-details";
import { sandboxFailures } from "./zh-CN/conversation/sandbox-failures";
import { serverFaults } from "./zh-CN/conversation/server-faults";
import { stoppedAnswer } from "./zh-CN/conversation/stopped-answer";
import { subagent } from "./zh-CN/conversation/subagent";
import { toolFailures } from "./zh-CN/conversation/tool-failures";
import { unrunCall } from "./zh-CN/conversation/unrun-call";
import { userCommand } from "./zh-CN/conversation/user-command";
import { windowLimit } from "./zh-CN/conversation/window-limit";

export const zhCNConversation = {
  approval,
  compaction,
  fullAccess,
  messageActions,
  origins,
  ownRuns,
  phaseChip,
  plan,
  runDetails,
  sandboxFailures,
  serverFaults,
  stoppedAnswer,
  subagent,
  toolFailures,
  unrunCall,
  userCommand,
  windowLimit,
};
