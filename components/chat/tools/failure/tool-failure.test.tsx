/** Text on the line of a failed call of another program's tool, for each code with which such a call ends. */
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { type ErrorCode, errorCodes } from "@/lib/events/error";
import { asId, type CallId } from "@/lib/events/id";
import type { CallView } from "@/lib/view/view";
import { loadConversationMessages, StaticConversationMessages } from "../../../messages/conversation-messages";
import { en } from "../../../messages/en";
import { StaticMessages } from "../../../messages/messages";
import { zhCN } from "../../../messages/zh-CN";
import { ConversationActionsContext, readOnlyActions } from "../../actions";
import { noop } from "../../noop-run-controls";
import { ToolLine } from "../tool-line";

const languages = [
  { messages: en, conversation: await loadConversationMessages("en") },
  { messages: zhCN, conversation: await loadConversationMessages("zh-CN") },
];

function reasons(kind: string, code: ErrorCode): readonly (string | undefined)[] {
  const call: CallView = {
    callId: asId<CallId>("c"),
    name: "files__move",
    kind,
    target: "a",
    facts: { code },
    state: "error",
    approvals: [],
    output: [{ type: "text", text: "[from files] It failed." }],
  };
  return languages.map(({ messages, conversation }) => {
    const html = renderToStaticMarkup(
      <StaticMessages messages={messages}>
        <StaticConversationMessages messages={conversation}>
          <ConversationActionsContext value={readOnlyActions}>
            <ToolLine call={call} open={false} onToggle={noop} />
          </ConversationActionsContext>
        </StaticConversationMessages>
      </StaticMessages>,
    );
    return /<p [^>]*>(.*)<\/p>/
      .exec(html)?.[1]
      ?.replaceAll("&#x27;", "'")
      .replace(/<[^>]*>/g, "");
  });
}

const sentences: Readonly<Partial<Record<ErrorCode, readonly [english: string, chinese: string]>>> = {
  bad_input: ["The model passed wrong parameters.", "模型传入的参数有误。"],
  unknown_tool: ["The model asked for a tool that doesn't exist.", "模型调用了不存在的工具。"],
  tool_missing: ["This tool isn't available any more.", "此工具已不可用。"],
  tool_off: ["This tool is switched off in Settings.", "此工具已在设置中关闭。"],
  tool_changed: [
    "This tool changed since you approved it. Review it in Settings.",
    "此工具在你批准后有变动，请到设置中查看。",
  ],
  not_approved: ["This tool isn't approved yet. Review it in Settings.", "此工具尚未获得批准，请到设置中查看。"],
  gone: ["This tool isn't offered any more.", "此工具已不再提供。"],
  changed_meanwhile: [
    "Something changed in the meantime, so this wasn't done.",
    "相关内容在此期间有变动，因此没有执行。",
  ],
  not_found: [
    "What this call needs wasn't found. It may have been deleted.",
    "找不到这次调用所需的内容，可能已被删除。",
  ],
  not_allowed: ["This wasn't part of what was allowed.", "这不在允许的范围内。"],
  blocked: ["This call is blocked.", "这次调用已被禁止。"],
  too_large: ["The request or its answer is too large.", "请求或返回的内容太大。"],
  too_many: ["The model made too many calls at once.", "模型一次发起的调用太多。"],
  timeout: ["The tool didn't answer in time.", "工具没有及时响应。"],
  exists: ["What this call would create exists already.", "要创建的内容已经存在。"],
  busy: ["Another call is still running there.", "那里还有另一次调用在进行。"],
  unreadable_file: ["A file that this tool needs can't be read.", "无法读取此工具所需的文件。"],
  no_permission: ["gopi-web has no permission for what this tool needs.", "gopi-web 没有此工具所需的权限。"],
  // Its own words are better.
  tool_failed: ["It failed.", "It failed."],
  aborted: ["Stopped.", "已停止。"],
  disk_full: ["The disk is full. Free up some space and try again.", "磁盘已满。请腾出空间后重试。"],
};

describe("a failed call says", () => {
  test.each(errorCodes.filter((code) => sentences[code] !== undefined))("%s", (code) => {
    for (const kind of ["other", "lookup"]) expect(reasons(kind, code)).toEqual(sentences[code]);
  });

  test("of the project's folder and files, what happened to them", () => {
    expect(reasons("read", "gone")).toEqual([en.errors.sentences.gone, zhCN.errors.sentences.gone]);
    expect(reasons("edit", "changed_meanwhile")).toEqual([
      en.errors.sentences.changed_meanwhile,
      zhCN.errors.sentences.changed_meanwhile,
    ]);
  });
});
