import type { callFacts as english } from "../../en/conversation/call-facts";

export const callFacts: typeof english = {
  undoGaps: {
    too_many_files: "此命令的更改无法撤销：项目文件太多，也没有受信任的 git 仓库可取回之前的版本",
    time: "此命令的更改无法全部撤销：未能及时读取项目文件",
  },
  notKept: (count) => `${count} 个文件没有保留之前的版本，无法恢复`,
  skippedFolders: (folders) => `${folders} 里的更改不会保留，无法撤销`,
};
