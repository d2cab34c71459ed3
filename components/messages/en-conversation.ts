/** The English messages of an open session that the first screen does not show. */
import { approval } from "./en/conversation/approval";
import { compaction } from "./en/conversation/compaction";
import { fullAccess } from "./en/conversation/full-access";
import { messageActions } from "./en/conversation/message-actions";
import { origins } from "./en/conversation/origins";
import { ownRuns } from "./en/conversation/own-runs";
import { phaseChip } from "./en/conversation/phase-chip";
import { plan } from "./en/conversation/plan";
import { runDetails } from "./en/conversation/run-details";
import { sandboxFailures } from "./en/conversation/sandbox-failures";
import { serverFaults } from "./en/conversation/server-faults";
import { stoppedAnswer } from "./en/conversation/stopped-answer";
import { subagent } from "./en/conversation/subagent";
import { toolFailures } from "./en/conversation/tool-failures";
import { unrunCall } from "./en/conversation/unrun-call";
import { userCommand } from "./en/conversation/user-command";
import { windowLimit } from "./en/conversation/window-limit";

export const enConversation = {
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
