import type { appSections as english } from "../../en/late/app-sections";

export const appSections: typeof english = {
  editor: {
    title: "编辑器",
    words: "字号 文字 大小 换行 制表符 缩进 标尺 空格 自动保存",
    fields: {
      editorFontSize: { label: "字号", note: "单位为像素，10 到 32。", words: "字体 大小 放大 缩小" },
      editorWrapLines: { label: "自动换行", note: "Markdown 文件始终换行。", words: "折行 软换行" },
      editorTabSize: { label: "制表符宽度", note: "用于还没有缩进的文件，1 到 8。", words: "缩进 空格" },
      editorRulers: {
        label: "标尺",
        note: "在这些列后显示竖线，例如 80 和 120。",
        add: "添加列",
        example: "80",
        words: "列 行宽 参考线",
      },
      editorStickyScroll: { label: "粘性滚动", note: "滚动时，所在函数和类的首行固定在顶部。", words: "作用域 固定" },
      editorFileIcons: { label: "文件图标", note: "在文件树和标签页中显示每个文件的类型。", words: "图标 类型" },
      editorKeymap: {
        label: "编辑器按键",
        note: "Vim 中用 :w 保存文件，用 :q 关闭文件。",
        choices: { default: "默认", vim: "Vim", emacs: "Emacs" },
        words: "vi vim emacs 快捷键 键位",
      },
      editorWhitespace: {
        label: "显示空格和制表符",
        choices: { off: "从不", selection: "仅选中部分", all: "始终" },
        words: "不可见字符 空白",
      },
      editorAutosave: {
        label: "自动保存",
        note: "文件在磁盘上也有改动时不会自动保存。",
        choices: { off: "关闭", delay: "停顿一秒后", focus: "离开时" },
        words: "延迟 失去焦点",
      },
      editorFormatOnSave: {
        label: "保存时格式化",
        note: "在受信任的文件夹中运行项目自带的格式化工具（Prettier、Biome、Ruff、gofmt、rustfmt 等）。",
        words: "prettier biome ruff 美化 代码格式",
      },
      editorTrimWhitespace: {
        label: "清除行尾空白",
        note: "保存时删除每行末尾的空格和制表符。",
        words: "去除 空格 格式化",
      },
      editorFinalNewline: {
        label: "以换行符结尾",
        note: "保存时在文件末尾补上缺少的换行符。",
        words: "文件末尾 格式化",
      },
    },
  },
  terminal: {
    title: "终端",
    words: "shell 路径 参数 字号 回滚 行数 光标 闪烁 屏幕阅读器 读屏",
    fields: {
      terminalShell: {
        label: "程序",
        note: "绝对路径，用于新建的终端。留空则使用当前账户的 Shell。",
        example: "当前账户的 Shell",
        bad: () => "请输入绝对路径，例如 /bin/zsh。",
        words: "bash zsh 可执行文件",
      },
      terminalShellArguments: {
        label: "参数",
        note: "不填则按本系统的惯例启动。",
        add: "添加参数",
        example: "-l",
        words: "选项 登录",
      },
      terminalFontSize: { label: "字号", note: "单位为像素，8 到 32。", words: "字体 大小 放大 缩小" },
      terminalScrollbackLines: {
        label: "回滚行数",
        note: "每个终端可向上回看的行数，最多 100,000 行。",
        words: "回滚 历史 缓冲",
      },
      terminalCursor: {
        label: "光标",
        choices: { block: "方块", bar: "竖线", underline: "下划线" },
        words: "形状 样式",
      },
      terminalCursorBlink: { label: "光标闪烁", note: "系统开启“减弱动态效果”时不闪烁。", words: "动画 闪动" },
      terminalScreenReader: {
        label: "读屏模式",
        note: "向屏幕阅读器朗读输出，输出很长时会变慢。",
        words: "无障碍 屏幕阅读器",
      },
    },
  },
  appearance: {
    title: "外观",
    words: "语言 显示 颜色 高对比度 无障碍",
    fields: {
      theme: {
        label: "主题",
        choices: {
          system: "跟随系统",
          light: "浅色",
          dark: "深色",
          "light-contrast": "浅色高对比度",
          "dark-contrast": "深色高对比度",
          "light-warm": "暖色",
          "dark-blue": "深蓝",
        },
        words: "深色 浅色 暗色 夜间 颜色 配色",
      },
      textSize: {
        label: "文字大小",
        note: "编辑器和终端另有各自的字号。",
        choices: { small: "小", medium: "中", large: "大", larger: "特大" },
        words: "放大 缩小 字号",
      },
      density: { label: "界面密度", choices: { comfortable: "宽松", compact: "紧凑" }, words: "间距 紧凑 宽松" },
      codeFont: {
        label: "代码字体",
        note: "你设备上已安装的字体，用于代码、差异和新终端。留空则使用 Geist Mono。",
        example: "Geist Mono",
        bad: () => "请输入字体名称，例如 JetBrains Mono。",
        words: "等宽字体 字体",
      },
      language: { label: "语言", words: "中文 英文 界面 翻译" },
    },
  },
  shortcuts: {
    title: "快捷键",
    words: "键盘 按键 发送 预设 修改",
    fields: {
      sendKey: {
        label: "发送消息的按键",
        note: "另一个按键用于换行。",
        choices: { enter: "回车", "mod-enter": "Ctrl 或 Cmd + 回车" },
        words: "回车 提交 换行",
      },
      keymap: {
        label: "预设",
        note: "下面自行修改的快捷键仍然有效。",
        choices: { default: "默认", vscode: "VS Code" },
        words: "键位 方案 vs code",
      },
      shortcuts: { label: "自定义快捷键", words: "键位 热键 绑定 键盘" },
    },
  },
  notifications: {
    title: "通知",
    words: "提示音 声音 免打扰 权限",
    fields: {
      noticeWaiting: { label: "会话等待你的批准", words: "提醒 审批" },
      noticeDone: { label: "运行已完成", words: "提醒 完成 结束" },
      noticeFailed: { label: "运行出错、被中断或达到限制", words: "提醒 错误 失败" },
      noticePaused: { label: "自动任务因多次失败而暂停", words: "提醒 自动化 失败" },
      noticeMessage: { label: "智能体给你发消息", words: "提醒 智能体 消息" },
      noticeSound: { label: "播放提示音", note: "播放一声短音，浏览器不显示通知时也会播放。", words: "声音 静音 铃声" },
      quietHours: {
        label: "免打扰时段",
        note: "每天在此时段内不发通知，也不播放提示音。留空表示不设置。",
        words: "勿扰 夜间 静音",
      },
    },
  },
  devices: {
    title: "设备",
    words: "手机 登录 二维码 网络",
    fields: {},
  },
  yaml: {
    title: "config.yaml",
    words: "yaml config.yaml 文本 全部设置 配置文件 导入 导出 备份 迁移",
    fields: {},
  },
  status: {
    title: "状态",
    words: "状态 运行 服务器 磁盘 系统服务 等待 批准 systemd launchd",
    fields: {},
  },
  about: {
    title: "关于",
    words: "版本 主文件夹 数据 存储",
    fields: {},
  },
};
