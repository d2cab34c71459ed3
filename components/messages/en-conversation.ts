/** The English messages of an open session that the first screen does not show. */
import { approval } from "./en/conversation/approval";
import { fullAccess } from "./en/conversation/full-access";
import { messageActions } from "./en/conversation/message-actions";
import { plan } from "./en/conversation/plan";
import { sandboxFailures } from "./en/conversation/sandbox-failures";
import { subagent } from "./en/conversation/subagent";
import { toolFailures } from "./en/conversation/tool-failures";
import { unrunCall } from "./en/conversation/unrun-call";
import { windowLimit } from "./en/conversation/window-limit";

export const enConversation = {
  approval,
  fullAccess,
  messageActions,
  plan,
  sandboxFailures,
  subagent,
  toolFailures,
  unrunCall,
  windowLimit,
};
