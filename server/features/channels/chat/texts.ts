/** The sentences that channels send, in each language. */
import type { NoticeKind } from "@/lib/notices/notice-kinds";
import type { Settings } from "@/lib/settings/settings";
import type { ApprovalWords } from "@/lib/view/approval-text";

type Effect = "allowed" | "denied";
type ChatMode = "ask" | "plan";

interface StatusFacts {
  readonly title: string;
  readonly project: string;
  readonly mode: string;
  readonly model: string;
  readonly activity: "idle" | "running" | "waiting";
  readonly queued: number;
}

/** Figures of a run for its summary. */
interface RunFigures {
  readonly seconds: number;
  readonly calls: number;
  readonly files: number;
  readonly tokens: number;
}

/** One member for each sentence. */
export type ChannelTexts = typeof english;

/** Returns the sentences in the language of the settings; that of the system is read from the environment. */
export function channelTexts(language: Settings["language"], environment: NodeJS.ProcessEnv): ChannelTexts {
  const locale = environment.LC_ALL ?? environment.LC_MESSAGES ?? environment.LANG ?? "";
  const isChinese = language === "zh-CN" || (language === "system" && locale.startsWith("zh"));
  return isChinese ? chinese : english;
}

/** For its type alone. */
const words = (approval: ApprovalWords): ApprovalWords => approval;

const count = (number: number, one: string, more: string): string => `${number} ${number === 1 ? one : more}`;

const duration = (seconds: number, minute: string, second: string): string =>
  seconds < 60 ? `${seconds} ${second}` : `${Math.floor(seconds / 60)} ${minute} ${seconds % 60} ${second}`;

const english = {
  approval: words({
    run: (folder, network) =>
      `Run in ${folder}${network === undefined ? "" : `, sandboxed (${network ? "with" : "no"} network)`}`,
    create: (path) => `Create ${path}`,
    change: (path) => `Change ${path}`,
    delete: (path, files) =>
      `Delete ${path}${files === undefined ? "" : `, a folder with ${files} files`} (can be restored from the trash)`,
    callOf: (tool, source) => `Call ${tool} of ${source}`,
  }),
  buttons: { allow: "Allow once", deny: "Deny", reason: "Deny and say why", run: "Run them", discard: "Discard them" },
  help: [
    "Write what is to be done. A message during a run steers it.",
    "/new: start a new session",
    "/stop: end the run",
    "/status: what the session is doing",
    "/sessions: list sessions; with a number, continue one",
    "/project: list projects; with a number, choose one",
    "/mode ask, /mode plan: ask before changes, or only plan",
  ].join("\n"),
  paired: (name: string) => `Hello ${name}, you are connected. /help lists what you can do.`,
  mayNotTalk: "You may read sessions here, but not write. The owner can change that.",
  mayNotAnswer: "You may not answer approvals. The owner can change that.",
  newSession: (project: string) => `Your next message starts a new session in ${project}.`,
  stopFirst: "A run is in progress. End it with /stop first.",
  stopped: "The run was stopped.",
  nothingRuns: "Nothing is running.",
  noSession: "There is no session yet. Your next message starts one.",
  status: ({ title, project, mode, model, activity, queued }: StatusFacts) =>
    [
      title,
      `Project: ${project}`,
      `Mode: ${mode}`,
      `Model: ${model}`,
      { idle: "Nothing is running.", running: "A run is in progress.", waiting: "It waits for an approval." }[activity],
      ...(queued === 0 ? [] : [`${count(queued, "message waits", "messages wait")}.`]),
    ].join("\n"),
  /** Above a numbered list. */
  sessions: "Choose one with /sessions and its number:",
  noSessions: "There are no sessions in this project.",
  chosen: (title: string) => `Your messages go to: ${title}`,
  projects: "Choose one with /project and its number:",
  noSuchNumber: "There is no such number in the list.",
  mode: (mode: ChatMode): string =>
    mode === "plan"
      ? "Mode: plan. Nothing is changed. /mode ask ends this."
      : "Mode: ask. Changes need an approval. /mode plan allows none.",
  personalWorkspace: "your personal workspace",
  notice: (kind: NoticeKind, title: string): string =>
    ({
      asks: `“${title}” needs you. Open it on your screen, or choose it with /sessions.`,
      done: `“${title}” is done.`,
      failed: `“${title}” ended early.`,
      paused: `The automation “${title}” was paused after failures.`,
      message: `“${title}” has a message for you. Open it on your screen, or choose it with /sessions.`,
    })[kind],
  moreNotices:
    "There are many notices. The next ones are not sent here for ten minutes; the overview page lists all work.",
  queueFull: (limit: number) => `${limit} messages wait. Further ones are not accepted until they are done.`,
  oldMessages: (old: number) =>
    `${count(old, "message", "messages")} came while I was off. Run ${old === 1 ? "it" : "them"}?`,
  oldRun: "Running them now.",
  oldDiscarded: "They were discarded.",
  asks: (title: string) => `Approval needed in: ${title}`,
  gate: (name: string, reason: string) => `The gate of ${name} asks. ${reason}`,
  openOnScreen: "It is too long for this place. Open it on your screen.",
  askReason: "Your next message is the reason.",
  answer: (effect: Effect): string => (effect === "allowed" ? "Allowed once." : "Denied."),
  answeredBy: (effect: Effect, name: string) => `${effect === "allowed" ? "Allowed" : "Denied"} by ${name}.`,
  onPage: "the owner, on the page",
  inTerminal: "the owner, in a terminal",
  noLongerAsks: "This approval is no longer needed.",
  alreadyAnswered: "This was answered already.",
  noEffect: "This button has no effect.",
  /** Text of a message that has only files. */
  photo: "Look at this photo.",
  file: "Look at this file.",
  noVision: "The model of this session cannot see images, so the message was not sent. Describe the picture in words.",
  tooLarge: (megabytes: number) => `The file is larger than ${megabytes} MB, so the message was not sent.`,
  notLoaded: "The file could not be loaded, so the message was not sent. Send it again.",
  moreRights:
    "This session has more rights than may be used from here. /mode ask takes them away, /new starts another one.",
  noModel: "No model can be reached now. The message was not sent.",
  failed: (code: string) => `That failed: ${code}.`,
  ends: {
    aborted: "The run was stopped.",
    limit: "The run reached a limit. Write something to continue.",
    interrupted: "The run was interrupted. Write something to continue.",
  },
  endedWith: (code: string) => `The run failed: ${code}.`,
  sentAgain: "(sent again)",
  summary: ({ seconds, calls, files, tokens }: RunFigures) =>
    [
      duration(seconds, "min", "s"),
      ...(calls === 0 ? [] : [count(calls, "tool call", "tool calls")]),
      ...(files === 0 ? [] : [count(files, "file changed", "files changed")]),
      count(tokens, "token", "tokens"),
    ].join(" · "),
};

const chinese: ChannelTexts = {
  approval: {
    run: (folder, network) =>
      `在 ${folder} 中运行${network === undefined ? "" : `，沙盒（${network ? "可联网" : "不联网"}）`}`,
    create: (path) => `新建 ${path}`,
    change: (path) => `修改 ${path}`,
    delete: (path, files) =>
      `删除 ${path}${files === undefined ? "" : `（文件夹，含 ${files} 个文件）`}，可从回收站恢复`,
    callOf: (tool, source) => `调用 ${source} 的 ${tool}`,
  },
  buttons: { allow: "允许一次", deny: "拒绝", reason: "拒绝并说明原因", run: "运行", discard: "丢弃" },
  help: [
    "直接写下要做的事。运行期间发来的消息会被当前运行读取。",
    "/new：开始新会话",
    "/stop：结束当前运行",
    "/status：查看会话状态",
    "/sessions：列出会话；加序号可继续其中一个",
    "/project：列出项目；加序号可选择",
    "/mode ask、/mode plan：改动前询问，或只做计划",
  ].join("\n"),
  paired: (name) => `${name}，你好，已连接。发送 /help 查看可用命令。`,
  mayNotTalk: "你在这里只能查看会话，不能发送消息。所有者可以更改权限。",
  mayNotAnswer: "你在这里不能批准或拒绝操作。所有者可以更改权限。",
  newSession: (project) => `下一条消息将在${project}中开始新会话。`,
  stopFirst: "有任务正在运行，请先用 /stop 结束。",
  stopped: "运行已停止。",
  nothingRuns: "当前没有任务在运行。",
  noSession: "还没有会话，下一条消息会开始一个。",
  status: ({ title, project, mode, model, activity, queued }) =>
    [
      title,
      `项目：${project}`,
      `模式：${mode}`,
      `模型：${model}`,
      { idle: "没有任务在运行。", running: "正在运行。", waiting: "正在等待批准。" }[activity],
      ...(queued === 0 ? [] : [`${queued} 条消息在排队。`]),
    ].join("\n"),
  sessions: "用 /sessions 加序号选择：",
  noSessions: "此项目中没有会话。",
  chosen: (title) => `之后的消息发送到：${title}`,
  projects: "用 /project 加序号选择：",
  noSuchNumber: "列表中没有这个序号。",
  mode: (mode) =>
    mode === "plan"
      ? "模式：plan，不做任何改动。用 /mode ask 恢复。"
      : "模式：ask，改动需要批准。用 /mode plan 则不允许改动。",
  personalWorkspace: "个人工作区",
  notice: (kind, title) =>
    ({
      asks: `“${title}”需要你处理。请在屏幕上打开，或用 /sessions 选择它。`,
      done: `“${title}”已完成。`,
      failed: `“${title}”未正常结束。`,
      paused: `自动任务“${title}”多次失败，已暂停。`,
      message: `“${title}”有一条消息给你。请在屏幕上打开，或用 /sessions 选择它。`,
    })[kind],
  moreNotices: "通知太多，接下来十分钟不再发送到这里。全部进展见总览页面。",
  queueFull: (limit) => `已有 ${limit} 条消息在等待，处理完之前不再接收新消息。`,
  oldMessages: (old) => `离线期间收到 ${old} 条消息。要运行吗？`,
  oldRun: "已开始运行。",
  oldDiscarded: "已丢弃。",
  asks: (title) => `需要批准：${title}`,
  gate: (name, reason) => `${name} 的关卡要求询问。${reason}`,
  openOnScreen: "内容太长，无法在此显示，请在屏幕上打开。",
  askReason: "请把原因作为下一条消息发送。",
  answer: (effect) => (effect === "allowed" ? "已允许一次。" : "已拒绝。"),
  answeredBy: (effect, name) => `${name}${effect === "allowed" ? "已允许" : "已拒绝"}。`,
  onPage: "所有者（网页）",
  inTerminal: "所有者（终端）",
  noLongerAsks: "已不再需要批准。",
  alreadyAnswered: "此前已经处理过。",
  noEffect: "此按钮已失效。",
  photo: "请看这张照片。",
  file: "请看这个文件。",
  noVision: "此会话的模型看不了图片，消息未发送。请用文字描述。",
  tooLarge: (megabytes) => `文件超过 ${megabytes} MB，消息未发送。`,
  notLoaded: "文件无法下载，消息未发送。请重新发送。",
  moreRights: "此会话的权限高于这里允许的权限。/mode ask 可收回权限，/new 可开始新会话。",
  noModel: "目前连接不到任何模型，消息未发送。",
  failed: (code) => `操作失败：${code}。`,
  ends: {
    aborted: "运行已停止。",
    limit: "运行达到上限。发送任意消息可继续。",
    interrupted: "运行被中断。发送任意消息可继续。",
  },
  endedWith: (code) => `运行失败：${code}。`,
  sentAgain: "（重新发送）",
  summary: ({ seconds, calls, files, tokens }) =>
    [
      duration(seconds, "分", "秒"),
      ...(calls === 0 ? [] : [`${calls} 次工具调用`]),
      ...(files === 0 ? [] : [`改动 ${files} 个文件`]),
      `${tokens} 词元`,
    ].join(" · "),
};
