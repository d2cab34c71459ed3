/**
 * The sections of the groups Editor and This app, and label, note and further words of each of their settings. `words` find a section or a setting in the
 * search, besides its label, note and key.
 */
export const appSections = {
  editor: {
    title: "Editor",
    words: "text size wrap tab ruler whitespace autosave trim newline",
    fields: {
      editorFontSize: { label: "Text size", note: "In pixels. 10 to 32.", words: "font zoom bigger smaller" },
      editorWrapLines: { label: "Wrap long lines", note: "Markdown is always wrapped.", words: "word wrap soft" },
      editorTabSize: {
        label: "Tab size",
        note: "For files that have no indentation yet. 1 to 8.",
        words: "indent indentation spaces width",
      },
      editorRulers: {
        label: "Rulers",
        note: "Vertical lines after these columns, such as 80 and 120.",
        add: "Add a column",
        example: "80",
        words: "column line length margin guide",
      },
      editorStickyScroll: {
        label: "Sticky scroll",
        note: "Keeps the first lines of the functions and classes you are in at the top.",
        words: "scope header",
      },
      editorFileIcons: {
        label: "File icons",
        note: "Shows the kind of each file in the file tree and in the tabs.",
        words: "pictures types tree tabs",
      },
      editorKeymap: {
        label: "Editor keys",
        note: "In Vim, :w saves the file and :q closes it.",
        choices: { default: "Default", vim: "Vim", emacs: "Emacs" },
        words: "vi vim emacs modal keybindings shortcuts",
      },
      editorWhitespace: {
        label: "Show spaces and tabs",
        choices: { off: "Never", selection: "Selected", all: "Always" },
        words: "invisible characters dots",
      },
      editorAutosave: {
        label: "Save automatically",
        note: "Never while a file has changed on disk as well.",
        choices: { off: "Off", delay: "After a second", focus: "On leaving" },
        words: "auto save delay focus",
      },
      editorFormatOnSave: {
        label: "Format on save",
        note: "Runs the project's formatter (Prettier, Biome, Ruff, gofmt, rustfmt and others) in trusted folders.",
        words: "prettier biome ruff black gofmt formatter beautify",
      },
      editorTrimWhitespace: {
        label: "Trim line ends",
        note: "Removes spaces and tabs at the end of lines when you save.",
        words: "trailing spaces format on save",
      },
      editorFinalNewline: {
        label: "End with a line break",
        note: "Adds a missing line break at the end of the file when you save.",
        words: "eof end of file format on save",
      },
    },
  },
  terminal: {
    title: "Terminal",
    words: "shell path arguments text size scrollback lines cursor blink screen reader",
    fields: {
      terminalShell: {
        label: "Program",
        note: "An absolute path, for new terminals. Leave empty to use the shell of your account.",
        example: "Shell of your account",
        bad: () => "Enter an absolute path, such as /bin/zsh.",
        words: "bash zsh fish executable",
      },
      terminalShellArguments: {
        label: "Arguments",
        note: "Without any, the shell starts as usual on this system.",
        add: "Add an argument",
        example: "-l",
        words: "flags options login",
      },
      terminalFontSize: { label: "Text size", note: "In pixels. 8 to 32.", words: "font zoom bigger smaller" },
      terminalScrollbackLines: {
        label: "Scrollback",
        note: "Lines above the screen, in each terminal. Up to 100,000.",
        words: "scrollback history buffer",
      },
      terminalCursor: {
        label: "Cursor",
        choices: { block: "Block", bar: "Bar", underline: "Underline" },
        words: "caret shape style",
      },
      terminalCursorBlink: {
        label: "Blinking cursor",
        note: "Never where the system reduces motion.",
        words: "caret animation",
      },
      terminalScreenReader: {
        label: "Screen reader mode",
        note: "Reads the output aloud. Long output becomes slower.",
        words: "accessibility a11y",
      },
    },
  },
  appearance: {
    title: "Appearance",
    words: "language display colors high contrast accessibility",
    fields: {
      theme: {
        label: "Theme",
        choices: {
          system: "System",
          light: "Light",
          dark: "Dark",
          "light-contrast": "Light, high contrast",
          "dark-contrast": "Dark, high contrast",
          "light-warm": "Warm",
          "dark-blue": "Blue",
        },
        words: "dark light colors colours mode night",
      },
      textSize: {
        label: "Text size",
        note: "The editor and the terminal have their own sizes.",
        choices: { small: "Small", medium: "Medium", large: "Large", larger: "Larger" },
        words: "zoom bigger smaller font",
      },
      density: {
        label: "Density",
        choices: { comfortable: "Comfortable", compact: "Compact" },
        words: "spacing compact comfortable",
      },
      codeFont: {
        label: "Code font",
        note: "A font installed on your device, for code, diffs and new terminals. Leave empty for Geist Mono.",
        example: "Geist Mono",
        bad: () => "Enter the name of a font, such as JetBrains Mono.",
        words: "typeface monospace font family",
      },
      language: { label: "Language", words: "english chinese locale translation" },
    },
  },
  shortcuts: {
    title: "Shortcuts",
    words: "keyboard send messages keys rebind keymap vs code preset",
    fields: {
      sendKey: {
        label: "Send messages with",
        note: "The other one starts a new line.",
        choices: { enter: "Enter", "mod-enter": "Ctrl or Cmd + Enter" },
        words: "enter submit newline",
      },
      keymap: {
        label: "Preset",
        note: "Your own changes below stay in force.",
        choices: { default: "Default", vscode: "VS Code" },
        words: "vs code keybindings",
      },
      shortcuts: { label: "Your own shortcuts", words: "keybindings hotkeys rebind keyboard" },
    },
  },
  notifications: {
    title: "Notifications",
    words: "sound notify permission quiet hours do not disturb",
    fields: {
      noticeWaiting: { label: "A session waits for your approval", words: "notify approval alert" },
      noticeDone: { label: "A run has finished", words: "notify finished completed alert" },
      noticeFailed: { label: "A run has failed, was interrupted or has reached a limit", words: "notify error alert" },
      noticePaused: { label: "An automation was paused after failures", words: "notify automation failures" },
      noticeMessage: { label: "The agent sends you a message", words: "notify agent message" },
      noticeSound: {
        label: "Play a sound",
        note: "A short tone, also where the browser shows no notifications.",
        words: "audio beep mute",
      },
      quietHours: {
        label: "Quiet hours",
        note: "No notifications and no sounds during this time, every day. Leave empty for none.",
        words: "do not disturb night silent",
      },
    },
  },
  devices: {
    title: "Devices",
    words: "phone sign in qr code network",
    fields: {},
  },
  yaml: {
    title: "config.yaml",
    words: "yaml text file raw all settings import export backup transfer",
    fields: {},
  },
  status: {
    title: "Status",
    words: "status health running servers disk service systemd launchd cards waiting",
    fields: {},
  },
  about: {
    title: "About",
    words: "version home folder data storage",
    fields: {},
  },
};
