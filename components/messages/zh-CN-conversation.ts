/** The Chinese messages of an open session that the first screen does not show. */
import { approval } from "./zh-CN/conversation/approval";
import { plan } from "./zh-CN/conversation/plan";
import { subagent } from "./zh-CN/conversation/subagent";

export const zhCNConversation = { approval, plan, subagent };
