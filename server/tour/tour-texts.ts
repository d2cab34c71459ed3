/** Declares the answers of the tour, in both languages. Names of buttons are those of the page. */
import { sampleTestCommand } from "./sample-project";
import type { TourStep } from "./tour-answer";

interface StepText {
  readonly thinking: string;
  readonly text: string;
}

export interface TourTexts {
  /** Before the calls of a step. */
  readonly steps: Readonly<Record<TourStep, StepText>>;
  readonly replies: {
    /** The project is not the sample. */
    readonly notSample: string;
    readonly denied: string;
    /** A call did not do what it should; its result has the reason. */
    readonly failed: string;
    /** The first run of the tests succeeded. */
    readonly nothingToFix: string;
    readonly fixed: string;
    readonly stillFails: string;
    /** Answer to a message in the middle of the tour; the next step follows. */
    readonly message: string;
    /** Answer to any other question. */
    readonly other: string;
  };
}

const chooseModel =
  "**Choose a model to ask your own.** The models of a running server, such as Ollama, are in the model menu of the message field. To set one up, leave the tour at the top of the page; after `--demo`, start gopi-web without it. What belongs to the tour is deleted when it ends.";

const english: TourTexts = {
  steps: {
    read: {
      thinking: "I don't know this project yet. First its README, the code, and what the tests expect.",
      text: "I look at the project first. Reading changes nothing, so it doesn't ask.",
    },
    test: {
      thinking: "totalPrice adds item.price and never looks at item.quantity. The tests should show that.",
      text: "Now I run the tests. A command asks you first.\n\n> **Try it:** choose **Deny** to see what happens then. Or write a message while the card waits: it is queued, and you can edit or remove it.",
    },
    edit: {
      thinking: "150 instead of 450: the quantity of 3 is missing. The line in the loop has to multiply.",
      text: "One test fails: three pens at 150 cents should cost 450 cents, but `totalPrice` returns 150, because it ignores the quantity. One line has to change. You see it before anything is written.\n\n> **Try it:** click the percentage in the message field, then **Show prompt**: that is all a model would have received so far. On a phone, hide the card first.",
    },
    retest: {
      thinking: "The line is changed. Only the tests can tell whether that was all.",
      text: "The file is changed. I run the tests again.\n\n> **Try it:** reload the page, the card still waits. **Always allow** makes a rule: this command doesn't ask again.",
    },
  },
  replies: {
    notSample: `This isn't the sample project, and the tour can only repair that one. ${chooseModel}`,
    denied:
      "You denied that, so nothing was done. A model gets your decision as the result of its call, with your reason if you give one.\n\n> **Try it:** write “go on”, and I propose the same again.",
    failed: "That didn't work; the reason is above. Write “go on”, and I propose the same again.",
    nothingToFix:
      "All tests pass, so there is nothing to fix.\n\n> **Try it:** take the change back with **Undo** where it was made, then ask again.",
    fixed: `All tests pass: \`totalPrice\` now multiplies by the quantity.\n\n> **Try it:** run \`${sampleTestCommand}\` yourself in the terminal. **Review** shows what changed, and **Undo** takes it back: then the test fails again.\n\n${chooseModel}`,
    stillFails: `A test still fails, so something else was changed in the project. I can only repair the one bug. ${chooseModel}`,
    message: "A model would answer your message here. **Choose a model to ask your own**; the tour goes on.",
    other: `I can't answer that: my answers are written in advance. Ask me to **run the tests and fix what fails**.\n\n${chooseModel}`,
  },
};

const chooseModelInChinese =
  "**选择一个模型，就能问你自己的问题**。如果 Ollama 等模型服务正在运行，它的模型就在输入框的模型菜单里。要配置新模型，请在页面顶部退出导览；如果是用 `--demo` 启动的，请不带它重新启动 gopi-web。导览结束时，它的所有数据都会删除。";

const chinese: TourTexts = {
  steps: {
    read: {
      thinking: "还不了解这个项目。先看 README、代码，以及测试期望的结果。",
      text: "我先看看这个项目。读取不会改动任何内容，所以不需要询问。",
    },
    test: {
      thinking: "totalPrice 只累加 item.price，没有用到 item.quantity。测试应该能看出来。",
      text: "现在运行测试。执行命令之前会先问你。\n\n> **试一试**：点“拒绝”，看看会怎样。也可以在卡片等待时写一条消息：它会排队，之后还能编辑或移除。",
    },
    edit: {
      thinking: "应为 450，得到 150：漏乘了数量 3。循环里的那一行要改成乘法。",
      text: "有一项测试失败：三支 150 分的笔应该是 450 分，`totalPrice` 却返回 150，因为它没有计入数量。只需改一行，写入之前你会先看到差异。\n\n> **试一试**：点输入框里的百分比，再点“查看提示词”，就能看到模型到目前为止会收到的全部内容。在手机上请先收起卡片。",
    },
    retest: {
      thinking: "这一行已经改好。是否就此解决，要看测试。",
      text: "文件已修改，再运行一次测试。\n\n> **试一试**：刷新页面，卡片仍在等待。点“始终允许”会保存一条规则，以后这条命令不再询问。",
    },
  },
  replies: {
    notSample: `这不是示例项目，导览只能修复示例项目。${chooseModelInChinese}`,
    denied:
      "你拒绝了这一步，所以什么都没有执行。模型会把你的决定当作调用结果收到；如果写了理由，也会一并收到。\n\n> **试一试**：发送“继续”，我会再次提出这一步。",
    failed: "这一步没有成功，原因见上方。发送“继续”，我会再试一次。",
    nothingToFix: "测试全部通过，没有需要修复的地方。\n\n> **试一试**：在那次修改下方点“撤销”，再问一次。",
    fixed: `测试全部通过：\`totalPrice\` 现在会乘以数量。\n\n> **试一试**：自己在终端里运行 \`${sampleTestCommand}\`。点“审阅”查看改动，点“撤销”恢复原样，测试就会再次失败。\n\n${chooseModelInChinese}`,
    stillFails: `仍有测试失败，说明项目里还有别的改动。我只能修复这一个错误。${chooseModelInChinese}`,
    message: "真正的模型会在这里回答你的消息。**选择一个模型，就能问你自己的问题**；导览继续。",
    other: `我回答不了这个问题：我的回答是预先写好的。请让我**运行测试并修复失败项**。\n\n${chooseModelInChinese}`,
  },
};

export const tourTexts = { english, chinese };
