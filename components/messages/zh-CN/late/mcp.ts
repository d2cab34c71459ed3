/** Messages about MCP servers in the settings. */
import type { McpTextReason } from "@/lib/events/error-reasons";
import type { ErrorSentences, ReasonSentences } from "@/lib/events/error-sentences";
import type { Figures } from "../../figures";
import { programProducts } from "../../program-products";
import { errors } from "../errors";
import type { mcp as english } from "../../en/late/mcp";

/** Syntax that JSON lacks at a position, by the server's name for it; a character is quoted. */
const expectedTexts: ReadonlyMap<string, string> = new Map([
  ["a value", "一个值"],
  ["a name in quotes", "带引号的名称"],
  ["the end", "文件结尾"],
  ["a text without invalid escapes", "没有无效转义的文本"],
  ["a closing quote", "结束引号"],
]);
const expectedText = (expected: string): string =>
  expected.endsWith("levels") ? "更少的嵌套层级" : (expectedTexts.get(expected) ?? `"${expected}"`);

/** Why a server, or an entry of a file with servers, cannot be used: what happened and the next step. */
const reasons: ReasonSentences<McpTextReason, Figures> = {
  program_missing: ({ program }) =>
    `此电脑上没有程序“${program}”。${programProducts.has(program) ? `它是 ${programProducts.get(program)} 的一部分，请安装后重试。` : "请安装它，或更正文件中的命令，然后重试。"}`,
  folder_missing: ({ folder }) => `文件夹 ${folder} 不存在。请创建它，或更正文件中的“cwd”，然后重试。`,
  not_startable: ({ program }) => `系统拒绝启动 ${program}，原因见详情。请更正文件中的命令，然后重试。`,
  exited: ({ exit, signal }) =>
    exit !== null
      ? `程序已结束，退出码为 ${exit}。原因多半在最后几行输出中。请更正命令或环境变量，然后重试。`
      : signal !== null
        ? `程序被信号 ${signal} 结束。请重试；如果再次发生，请查看日志。`
        : "程序意外结束。请重试；如果再次发生，请查看日志。",
  no_protocol: ({ host }) =>
    host === undefined
      ? "它输出的不是 MCP。请检查该命令启动的是否为通过标准输入输出通信的 MCP 服务器。"
      : `${host} 返回的不是 MCP。请对照服务器的文档检查地址。`,
  no_version: "它不支持 gopi-web 所用的任何 MCP 版本。请更新这个服务器，或更新 gopi-web。",
  refused: "它返回了错误，内容见详情。请更正环境变量或参数，然后重试。",
  too_large: "它的应答超出了上限。请更新这个服务器，或换用其他服务器。",
  closed: "它已被停止，下次调用时会重新启动。",
  no_answer: ({ seconds }, { duration }) =>
    `它在 ${duration(seconds * 1_000)} 内没有应答。请重试；首次启动需要下载软件包，可能更慢。`,
  starting: ({ seconds }, { duration }) =>
    `它已启动了 ${duration(seconds * 1_000)}，尚未就绪。请稍候，或停止后查看日志。`,
  waiting: ({ failures }) => `它连续失败 ${failures} 次，不会再自动启动。请查看日志并排除问题，然后测试并批准。`,
  unreachable: ({ host, proxy }) =>
    proxy === undefined
      ? `无法连接到 ${host}。请检查地址和网络，然后重试。`
      : `无法通过代理 ${proxy} 连接 ${host}。请检查 HTTPS_PROXY、HTTP_PROXY 和 NO_PROXY，然后重启 gopi-web。`,
  cut: ({ host }) => `与 ${host} 的连接在收到应答前中断。请重试。`,
  insecure: ({ host }) => `${host} 的地址不是以 https:// 开头，而互联网上的服务器必须使用 https。请在文件中更正。`,
  redirected: ({ address }) => `它重定向到 ${address}，未予跟随。如果那才是服务器，请将这个地址写入文件。`,
  forbidden: ({ status }) => `它拒绝了访问（HTTP ${status}）。请检查文件中请求头里的密钥，然后重试。`,
  http_status: ({ status }) => `它返回了 HTTP ${status}。请检查文件中的地址，然后重试。`,
  signed_out: "你尚未登录。请登录后重试。",
  scope_missing: ({ scopes }) =>
    scopes === "" ? "它还需要另一项权限。请重新登录并允许。" : `它还需要另一项权限：${scopes}。请重新登录并允许。`,
  session_expired: "它结束了会话。请重试。",
  address_required: ({ addresses = [] }) => {
    const hosts = addresses.flatMap(({ url }) => (URL.canParse(url) ? [new URL(url).host] : [])).join(", ");
    return `它要求你先打开${hosts === "" ? "一个页面" : ` ${hosts} 的页面`}，这只能在会话的调用中进行。请让模型调用它的工具，或在浏览器中完成该步骤后重试。`;
  },
  sign_in_state: "这个地址不属于任何正在进行的登录。请重新登录；每个地址只能使用一次。",
  sign_in_denied: "登录被拒绝。请重新登录，并在对方页面上允许访问。",
  sign_in_unsupported:
    '它不允许未注册的程序登录。请先在其提供方注册，然后在文件中该服务器的条目里添加 "oauth": {"clientId": "…"}。',
  sign_in_address: ({ host }) => `登录指向 ${host}，打开它并不安全。请向服务器的运营者反映。`,
  sign_in_issuer: ({ issuer, expected }) =>
    issuer === undefined
      ? "应答来自另一个登录服务，而不是服务器所指定的那个。请不要登录，并向服务器的运营者反映。"
      : `登录服务的元数据有误：其中的“issuer”是 ${issuer}，应当是 ${expected}。请向服务器的运营者反映。`,
  sign_in_resource: ({ resource }) =>
    `服务器的登录说明页面属于另一个服务器：${resource}。请在文件中更正地址，或向服务器的运营者反映。`,
  sign_in_port: ({ port }) => `文件中“callbackPort”指定的端口 ${port} 已被占用。请结束占用它的程序，然后重试。`,
  sign_in_failed: "登录失败。请稍后重试，或查阅服务器的文档。",
  pin_unknown: ({ name, registry }) =>
    `${registry} 中没有符合条件的包 ${name}。请检查文件中的名称，以及你是否有权读取它。`,
  pin_unreachable: ({ registry }) => `无法连接 ${registry}。请检查网络，然后再次点击“固定版本”。`,
  pin_failed: ({ name }) =>
    `包管理器没有找到 ${name} 的版本。请查看详细信息，或自行在文件中写明版本，例如 name@1.2.3。`,
  syntax: ({ path, line, column, expected = "" }) =>
    path === undefined
      ? `这不是有效的 JSON：第 ${column} 列应为 ${expectedText(expected)}。请在该处更正。`
      : `无法读取 ${path}：第 ${line} 行第 ${column} 列应为 ${expectedText(expected)}。请在该文件中更正，然后重试。`,
  no_servers: ({ path, line }) =>
    path === undefined
      ? "其中没有“mcpServers”。请将服务器放在这个成员中。"
      : `无法读取 ${path}：第 ${line} 行应有一个对象“mcpServers”。请在该文件中更正，然后重试。`,
  repeated: ({ path, name }) =>
    path === undefined
      ? `同一位置有两个“${name}”，只有最后一个有效。请删除这一个，或为它换一个名称。`
      : `文件中的同一位置有两个“${name}”，因此 gopi-web 不会修改它。请在文件中删除其中一个。`,
  name: ({ server }) => `名称“${server}”为空或超过 64 个字符。请换一个名称。`,
  same_name: ({ server, other }) => `“${server}”与“${other}”重名。请修改其中一个。`,
  target: ({ server }) => `“${server}”既没有命令，也没有地址。请添加“command”或“url”。`,
  address: ({ server }) => `“${server}”的地址不是以 http:// 或 https:// 开头。请更正。`,
  field: ({ server, field }) => `字段“${field}”（服务器“${server}”）的值类型不对。请更正。`,
  too_many: ({ server }) => `服务器超过 50 个，已略去“${server}”。请移除一些。`,
  missing_variables: ({ names = [] }) =>
    `以下值未设置：${names.join(", ")}。请在服务器页面输入，或在启动 gopi-web 之前设置。`,
  untrusted: errors.sentences.untrusted,
  env_file: ({ path }) => `无法读取变量文件：${path}。请确认文件存在且不超过 64 KB，或修改配置中的 envFile。`,
  listed_above: "上面已列出同名服务器，只能添加其中一个。",
};

/** The same for errors without a reason. */
const sentences: ErrorSentences<Figures> = {
  exists: ({ name }) =>
    name === undefined
      ? "你的文件中已有同名服务器。请先移除那一个，或修改这个的名称。"
      : `你的文件中已有名为“${name}”的服务器。请先移除它，或修改新服务器的名称。`,
  no_permission: "gopi-web 无权读写这个文件。请修改文件权限，然后重试。",
  bad_input: ({ path }) =>
    path === undefined
      ? "无法将其用作服务器。请对照服务器的文档检查。"
      : "保存服务器的文件不是有效的 JSON，无法修改。请先更正。",
  changed_meanwhile: "它在文件中的条目在显示之后有改动。请核对后重试。",
  tool_failed: "服务器出错，原因见详情。请查看日志，然后重试。",
  timeout: ({ path }) => path && '读取这个文件耗时过长。请改为粘贴其中的 "mcpServers" 部分。',
  too_many: ({ limit }) => (limit === undefined ? undefined : `你的文件最多可包含 ${limit} 个服务器。请先移除一些。`),
  too_large: ({ limit }, { bytes }) =>
    limit === undefined
      ? undefined
      : `这个文件超过 ${bytes(limit).replaceAll("\u00a0", " ")}。请删除不需要的内容，或粘贴其中的 "mcpServers" 部分。`,
};

export const mcp: typeof english = {
  title: "MCP 服务器",
  about: "MCP 服务器是为模型提供工具的程序，例如浏览器、数据库或工单系统。",
  noProject: "MCP 服务器在项目文件夹中运行。请先打开一个文件夹。",
  failed: "无法加载服务器列表。",
  servers: "服务器",
  back: "所有工具",
  missing: "这个服务器已不在列表中。返回服务器列表可查看其他服务器。",
  empty: "还没有服务器",
  emptyNote: "粘贴服务器文档中给出的配置，或导入此电脑上其他程序正在使用的服务器。在你批准之前，不会启动任何程序。",
  paste: "粘贴配置",
  importFrom: (programs) => `从 ${programs} 导入`,
  importFromTwo: (one, other) => `从 ${one} 和 ${other} 导入`,
  importMany: "从其他程序导入",
  statuses: {
    unapproved: "未批准",
    disabled: "已停用",
    idle: "未运行，首次调用时启动",
    starting: "正在启动",
    running: "正在运行",
    failed: "失败",
  },
  startingFor: (duration) => `正在启动，${duration}`,
  addressStatuses: {
    unapproved: "未批准",
    disabled: "已停用",
    idle: "未连接，首次调用时连接",
    starting: "正在连接",
    running: "已连接",
    failed: "失败",
  },
  connectingFor: (duration) => `正在连接，${duration}`,
  toolCount: (count) => `${count} 个工具`,
  toolsOn: (on, count) => `已启用 ${on} / ${count} 个工具`,
  tokens: (tokens) => `${tokens} 词元`,
  allProjects: "用于所有项目",
  ofProject: (file) => `来自此项目的 ${file}`,
  waiting: (count) => `${count} 项待批准`,
  command: "命令",
  copyCommand: "复制命令",
  address: "地址",
  copyAddress: "复制地址",
  headers: "请求头",
  noHeaders: "无",
  listProblems: {
    unnamed: "没有名称的工具已被忽略。需要由服务器为它们命名。",
    too_many: "列表中的工具超过 500 个，其余的已被忽略。如果服务器支持，请设置它少提供一些工具。",
    too_large: "列表过大，其余部分已被忽略。如果服务器支持，请设置它少提供一些工具。",
    too_many_in_all:
      "所有服务器的工具合计超过 2000 个，超出的部分模型无法使用，其中包括此服务器的一些工具。请停用部分服务器，或在文件中排除不需要的工具。",
    too_many_pages: "列表的分页过多，其余部分已被忽略。如果服务器支持，请设置它少提供一些工具。",
  },
  envFile: "变量文件",
  variables: "环境变量",
  noVariables: "无",
  file: "文件",
  instructions: "使用说明",
  ownWords: "以下是服务器自己的说法，gopi-web 未作核实。",
  approveTitle: "尚未批准",
  approveNote: "这条命令会以你的权限在此电脑上运行。请只批准来源可靠的命令。",
  approveEffect: "批准时会启动一次，列出工具，然后结束。此后，模型首次调用其工具时才会启动。",
  approveAddressNote: "模型传给其工具的内容都会发送到这个地址。请只批准你了解其运营者的地址。",
  approveAddressEffect: "批准时会连接一次，列出工具，然后断开。此后，模型首次调用其工具时才会连接。",
  approve: "测试并批准",
  retryTitle: "上次启动失败",
  retryNote: "会再启动一次，列出工具，然后结束，并按届时的内容批准这些工具。",
  retryAddressTitle: "上次连接失败",
  retryAddressNote: "会再连接一次，列出工具，然后断开，并按届时的内容批准这些工具。",
  newestTitle: "每次启动都运行最新版本",
  newest: (registry) => `每次启动都会从 ${registry} 运行这个包的最新版本，可能与你批准时的版本不同。`,
  pinYourself: "如要固定版本，请在项目文件中的包名后加上版本号，例如 name@1.2.3。",
  pinNote:
    "“固定版本”会用你自己的包管理器查询最新版本（不安装也不运行任何程序），并写入配置文件。之后需要你重新批准这个服务器。",
  pinVersion: "固定版本",
  stopPin: "停止",
  pinned: (version) => `已固定为版本 ${version}。批准后即可使用这个服务器。`,
  signInTitle: "登录",
  signInNote: "这个服务器需要登录。在你点击之前不会打开任何页面。",
  scopeNote: (scopes) =>
    scopes === ""
      ? "这个服务器还需要另一项权限。请重新登录并允许；之前已允许的权限会一并申请。"
      : `这个服务器还需要另一项权限：${scopes}。请重新登录并允许；之前已允许的权限会一并申请。`,
  signIn: "登录",
  signInAt: "你将在以下地址登录，请确认可信后再打开：",
  openSignIn: (host) => `打开 ${host}`,
  signInAgain: "重新开始",
  signInAddress: "完整地址",
  signInElsewhere: "gopi-web 在另一台设备上运行？",
  signInPasteNote:
    "这种情况下，浏览器无法打开登录后的页面。请复制该页面以 http://localhost 开头的地址，并在十分钟内粘贴到这里。",
  signInPasteField: "登录后的地址",
  finishSignIn: "完成",
  signedIn: "已登录",
  signedOut: "未登录",
  scopeMissing: "已登录，但缺少一项权限",
  signOut: "退出登录",
  stop: "停止",
  disable: "停用",
  enable: "启用",
  log: "日志",
  logTitle: (name) => `${name} 的日志`,
  logNote: "服务器在应答之外输出的最后若干行。密钥已隐藏。",
  logEmpty: "服务器没有输出任何内容。",
  logFailed: "无法加载日志。",
  reload: "重新加载",
  remove: "移除",
  removeTitle: (name) => `移除 ${name}？`,
  removeNote: (file) => `将删除它在 ${file} 中的条目以及批准记录。正在运行的进程会被结束。`,
  removeYes: "移除服务器",
  removed: (name) => `已移除 ${name}。`,
  removeInFile: "这个服务器由项目文件定义，请在该文件中移除。",
  withdraw: "撤销批准",
  untrusted: (files) => `此项目尚未受信任，因此不会读取 ${files} 中的服务器。可以在“权限”中信任它的文件夹。`,
  alsoIn: "同名条目",
  alsoInNote: (files) => `${files}（其中的同名服务器不会使用）`,
  values: "变量值",
  valuesNote: "服务器会得到你的以下值。在这里输入的内容保存在密钥文件中，不会再显示。",
  valuesOfProject:
    "项目文件要求提供你的以下值，请只提供给可信的服务器。在这里输入的内容保存在密钥文件中，仅用于此项目，不会再显示。",
  valueFrom: { stored: "已在此输入", environment: "来自 gopi-web 的环境变量", none: "未设置" },
  saveValue: (name) => `保存 ${name}`,
  removeValue: (name) => `移除 ${name}`,
  tools: "工具",
  noTools: "批准后会列出它的工具。",
  noneOffered: "这个服务器没有提供工具。",
  switchNote:
    "对于通过工具箱进行的调用，开关立即生效。如果提示词中直接包含这些工具，则从下一个会话起生效。置顶的工具会优先向模型介绍。",
  quoteNote: "引号中的文字是服务器自己的说法。",
  ownTools: "内置工具和扩展工具",
  ownToolsNote:
    "关闭的工具不会提供给新会话；通过工具箱调用的工具关闭后，正在运行的会话也不能再调用。技能有单独的页面。",
  ownToolsFailed: "无法加载工具。",
  ownSources: { built_in: "内置", web: "联网", memory: "记忆", subagent: "子智能体", channels: "消息通道" },
  ofExtension: (name) => `扩展 ${name}`,
  useTool: (name) => `向模型提供 ${name}`,
  pinTool: (name) => `置顶 ${name}`,
  unpinTool: (name) => `取消置顶 ${name}`,
  parameters: "参数",
  description: "说明",
  unusable: "无法使用",
  changesTitle: "服务器的工具有变化",
  changesNote: "在你批准之前，模型无法调用这些工具。",
  toolStatuses: { new: "新增", changed: "有改动", gone: "已消失" },
  goneNote: "服务器不再提供这个工具。",
  approveTool: "批准",
  approveChange: "批准改动",
  forget: "清除",
  actOn: (action, name) => `${action}：${name}`,
  approveAll: (count) => `批准全部 ${count} 项`,
  idNote: "它的工具名称以此开头。",
  approveOfProject: (file) => `它来自这个项目的 ${file}。`,
  changeOf: (part, name) => `${part}的前后对比：${name}`,
  pasteNote:
    "支持各种格式：Claude Desktop、Claude Code、Cursor、VS Code、Gemini CLI、opencode 的 JSON，单个服务器的配置，npx -y package 或 claude mcp add 之类的命令，以及 https 地址。添加时不会启动任何程序。",
  pasteField: "配置",
  importNote: "添加时不会启动任何程序。",
  found: "找到的服务器",
  noneFound: "这段文字中没有服务器。",
  choose: (name) => `添加 ${name}`,
  secrets: (count, names) => `${count} 个密钥会移到密钥文件：${names}`,
  candidateVariables: (names) => `环境变量：${names}`,
  candidateHeaders: (names) => `请求头：${names}`,
  add: (count) => `添加 ${count} 个服务器`,
  addNone: "添加服务器",
  added: (count) => `已添加 ${count} 个服务器，使用前请先批准。`,
  inLine: (file, line) => `${file}，第 ${line} 行`,
  line: (line) => `第 ${line} 行：`,
  problemsTitle: "文件中的问题",
  skippedServers: "写法有误，无法使用",
  problems: { reasons, sentences },
};
