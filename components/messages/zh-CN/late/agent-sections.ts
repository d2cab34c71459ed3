import type { agentSections as english } from "../../en/late/agent-sections";

export const agentSections: typeof english = {
  model: {
    title: "模型",
    words: "ollama 服务 地址 下载 思考 温度 上下文窗口 保留在内存",
    fields: {
      ollamaHost: {
        label: "地址",
        note: "留空则使用 OLLAMA_HOST 或此电脑。",
        bad: (text) => `这不是有效的地址：${text}`,
        words: "服务器 端口 网址 远程",
      },
      engineProgram: {
        label: "llama-server 的路径",
        note: "留空则使用此电脑上已有的程序，或在这里下载的程序。",
        example: "/usr/local/bin/llama-server",
        bad: () => "请输入从根目录开始的完整路径。",
        words: "llama.cpp 可执行文件 程序",
      },
      engineMirror: {
        label: "llama.cpp 发布镜像",
        note: "代替 GitHub 使用，后面会加上版本名和压缩包名。",
        example: "https://github.com/ggml-org/llama.cpp/releases/download",
        bad: (text) => `这不是以 https 开头的地址：${text}`,
        words: "llama.cpp github 代理 镜像 下载",
      },
      modelHub: {
        label: "Hugging Face 镜像",
        note: "代替 huggingface.co 使用。留空则使用 HF_ENDPOINT（如果已设置）。",
        example: "https://huggingface.co",
        bad: (text) => `这不是以 https 开头的地址：${text}`,
        words: "huggingface 代理 镜像 下载 gguf",
      },
      model: { label: "模型", note: "已有会话会沿用自己的模型，直到你在会话中更换。", words: "默认 大模型" },
      contextMaxTokens: {
        label: "最大上下文窗口",
        note: "自动选择此电脑放得下的大小。窗口越大，占用内存越多。",
        words: "长度 内存 上限 num_ctx",
      },
      think: { label: "思考", note: "让支持思考的模型先思考再回答。", words: "推理 思维链" },
      thinkMaxTokens: {
        label: "思考上限",
        note: "单位为词元。超过后会要求模型直接回答。0 表示不限。",
        words: "推理 预算",
      },
      toolCalling: {
        label: "工具调用",
        note: "用于没有单独设置的模型。自动根据模型的能力和实际表现决定。",
        words: "函数调用 格式 react xml 原生",
      },
      temperature: {
        label: "温度",
        note: "用于 Ollama 模型，从下一次回答起生效。0 更严谨，1 更发散。留空则使用模型的默认值。",
        example: "自动",
        bad: () => "请输入 0 到 2 之间的数字，或留空。",
        words: "创造性 随机 采样",
      },
      keepAliveMinutes: {
        label: "模型驻留内存",
        note: "从回答结束算起。仍在内存中的模型可以立即回答。",
        words: "卸载 显存 保活",
      },
    },
  },
  connections: {
    title: "连接",
    words: "api 密钥 服务商 openai lm studio llama.cpp vllm",
    fields: {
      connection: {
        label: "模型服务",
        note: "已有会话会沿用自己的服务，直到你在会话中更换模型。",
        words: "默认 服务商 openai",
      },
      connectionOrder: { label: "连接的顺序", words: "排序 服务商" },
    },
  },
  evals: {
    title: "模型对比",
    words: "对比 比较 评测 任务 哪个模型好",
    fields: {},
  },
  agent: {
    title: "智能体",
    words: "运行 步数 上限 超时 重试 压缩 工具 输出",
    fields: {
      maxOutputTokens: {
        label: "回答长度上限",
        note: "一次回答（含思考）的词元数，适用于没有单独设置的模型。256 到 16384。",
        words: "最大 输出 长度 max_tokens num_predict",
      },
      maxSteps: {
        label: "步数上限",
        note: "运行到这个步数会暂停，由你决定是否继续。1 到 500。",
        words: "轮数 循环 迭代",
      },
      maxRunMinutes: { label: "时间上限", note: "单位为分钟，不计等待你的时间。0 表示不限。", words: "超时 时长" },
      retries: { label: "重试次数", note: "模型服务出错后自动重试，间隔逐次加长。0 到 10。", words: "重连 失败" },
      stallSeconds: {
        label: "无响应时放弃",
        note: "回答中途多少秒没有新内容就放弃。0 表示不限。",
        words: "超时 卡住 无响应",
      },
      compactionPercent: {
        label: "压缩阈值",
        note: "占上下文窗口的百分比，超过后较早的消息会被总结。30 到 85。",
        words: "总结 摘要 上下文",
      },
      keptMessages: { label: "保留消息数", note: "压缩时最近的消息原样保留。1 到 40。", words: "压缩 最近 历史" },
      pinnedPercent: {
        label: "固定文件",
        note: "占上下文窗口的百分比，超过后最久未用的文件不再发送。5 到 40。",
        words: "预算 上下文 钉住",
      },
      treeDepth: { label: "目录树深度", note: "模型在第一条消息里看到的目录层数。1 到 5。", words: "文件夹 层级" },
      treeFolderEntries: { label: "每个目录的条目数", note: "用于同一棵目录树。5 到 500。", words: "文件夹 文件数" },
      bashTimeoutSeconds: {
        label: "命令超时",
        note: "单位为秒，模型没有另外要求时使用。1 到 600。",
        words: "shell 时长 终止",
      },
      bashOutputBytes: {
        label: "命令输出",
        note: "模型得到的字节数，取开头和结尾。完整输出随时可以打开。",
        words: "shell 截断",
      },
      readLines: { label: "每次读取行数", note: "20 到 5,000。", words: "文件 截断" },
      grepMatches: { label: "每次搜索匹配数", note: "5 到 1,000。", words: "结果 截断" },
      findEntries: { label: "每次查找文件数", note: "10 到 1,000。", words: "结果 截断" },
      sourceAssistedBy: {
        label: "提交注明模型",
        note: "提交智能体所做的更改时，在提交信息末尾加上“Assisted-by:”和模型名称。作者仍然是你。",
        words: "git 提交 署名 尾注 提交信息 版本控制",
      },
      reviewAcceptCommitted: {
        label: "提交即接受更改",
        note: "在源代码管理面板中提交的更改不再需要审查。",
        words: "git 提交 审查 接受 保留 版本控制",
      },
      modelTitles: {
        label: "由模型拟定标题",
        note: "首次回答结束且没有其他任务运行时，请模型拟一个简短的标题。使用某些模型时，下一条消息的回答会开始得慢一些。",
        words: "会话 名称 命名 重命名 自动",
      },
      autoFill: {
        label: "README 和配置文件",
        note: "有余量时随第一条消息发送；AGENTS.md 总会发送。",
        words: "自动 第一条消息 agents.md",
      },
      keepReadFiles: {
        label: "保留读过的文件",
        note: "较早的消息被总结后，模型完整读过的文件会按现有内容重新发送，只占用固定文件剩下的空间。",
        words: "焦点 固定 上下文 压缩",
      },
    },
  },
  permissions: {
    title: "权限",
    words: "规则 允许 拒绝 模式 禁用命令 受保护文件 忽略文件夹 环境变量 沙箱",
    fields: {
      mode: {
        label: "新会话的模式",
        note: "完全访问只能在会话中选择，会话结束或重启后失效。",
        words: "批准 询问 计划 权限",
      },
      blockedWords: {
        label: "禁用的命令",
        note: "运行这些程序的命令会被拒绝，无论出现在哪里、用什么可解析的写法。",
        add: "添加命令",
        words: "拒绝 黑名单 危险 删除",
      },
      protectedNames: {
        label: "受保护的文件",
        note: "带有这些名称的文件和文件夹不能读取，也不能写入。.env、密钥等内置名称始终受保护。",
        add: "添加名称",
        words: "机密 密钥 黑名单",
      },
      ignoredFolders: {
        label: "忽略的文件夹",
        note: "搜索、文件列表和项目目录树会跳过这些文件夹，没有 .gitignore 时也一样；直接指定路径时仍可访问。撤销也不包括它们，但可能存放源码的 dist、build、out、target 和 _build 除外。",
        add: "添加文件夹名称",
        words: "排除 目录 gitignore node_modules",
      },
      shellEnvironment: {
        label: "命令的环境变量",
        note: "命令只能看到基本变量。在此列出还允许看到的变量名，只列名称，不含值。",
        add: "添加变量",
        words: "变量 path env",
      },
      sandbox: {
        label: "在沙箱中运行命令",
        note: "由操作系统把命令限制在项目和下列文件夹内：其他位置只读，看不到密钥和密码，不能联网，/tmp 独立且用完即弃。",
        words: "沙箱 隔离 安全",
      },
      sandboxNetwork: { label: "允许沙箱中的命令联网", words: "沙箱 联网 断网" },
      sandboxWritable: {
        label: "沙箱中的命令可写入的文件夹",
        note: "除项目之外，默认是各包管理器的缓存。不存在或被隐藏的文件夹不起作用。",
        add: "添加文件夹，例如 ~/.npm",
        words: "沙箱 缓存 文件夹 npm pip cargo",
      },
    },
  },
  tools: {
    title: "工具",
    words: "mcp 服务器 粘贴 导入 配置 批准 mcp.json",
    fields: {},
  },
  skills: {
    title: "技能",
    words: "技能 skill.md 指南 说明 文件夹 斜杠命令",
    fields: {},
  },
  extensions: {
    title: "扩展",
    words: "扩展 脚本 钩子 门禁 监听器 插件 斜杠命令 bash python node",
    fields: {},
  },
  workflows: {
    title: "工作流",
    words: "工作流 自动化 步骤 流程 yaml 提示 命令 输入",
    fields: {},
  },
  automations: {
    title: "自动任务",
    words: "定时 计划任务 cron 每天 无人值守 预演 触发 文件更改",
    fields: {},
  },
  channels: {
    title: "消息通道",
    words: "telegram 机器人 聊天软件 手机 配对 令牌 远程 批准 人员",
    fields: {},
  },
  memory: {
    title: "记忆",
    words: "记住 回忆 笔记 日记 日历 身份 memory.md user.md",
    fields: {
      memory: {
        label: "记忆",
        note: "把这些文件交给新会话。只要存在任意一个文件，模型就可以记录要点并再次查找。",
        words: "记住 回忆 笔记 user.md soul identity",
      },
      diary: {
        label: "日记",
        note: "每次运行结束时添加一行：时间、项目、标题、回答的第一句、更改的文件。最近三天的内容会交给新会话。",
        words: "日志 记录 历史",
      },
    },
  },
  web: {
    title: "网络",
    words: "互联网 搜索引擎 网页 读取 searxng 博查 主机",
    fields: {},
  },
  prompts: {
    title: "提示词",
    words: "系统提示词 指令 规则 修改 词元 工具 关闭",
    fields: {
      disabledTools: {
        label: "已关闭的内置工具",
        note: "每次请求都会向模型说明这些工具。关闭的工具不会提供给新会话。",
        words: "关闭 移除 工具",
      },
    },
  },
};
