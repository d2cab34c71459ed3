import type { palette as english } from "../../en/late/palette";

const characters = (count: number): string => `（已选 ${count} 个字符）`;

export const palette: typeof english = {
  editor: {
    caret: (line, column, selected) => `行 ${line}，列 ${column}${selected === 0 ? "" : characters(selected)}`,
    carets: (count, selected) => `${count} 个光标${selected === 0 ? "" : characters(selected)}`,
    indentation: "缩进",
    indent: (indentation) => (indentation === "tab" ? "制表符" : `空格：${indentation}`),
    lineEnding: "换行符",
    lineEndings: { LF: "Linux、macOS", CRLF: "Windows" },
    encoding: "编码",
    encodings: { reopen: "以其他编码重新打开…", save: "以其他编码保存…" },
    language: "语言",
    plainText: "纯文本",
  },
  recent: "最近打开",
  goToLine: (line) => `转到第 ${line} 行`,
  lineNote: "请输入当前文件的行号。",
  noFile: "编辑器中没有打开的文件。",
  noSymbols: "此文件中没有符号。",
  kinds: {
    function: "函数",
    method: "方法",
    class: "类",
    type: "类型",
    variable: "变量",
    module: "模块",
    heading: "标题",
    key: "键",
    rule: "规则",
  },
};
