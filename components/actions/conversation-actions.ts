/** Actions on the conversation and its message field, each also a command of that field. */
import { modes } from "@/lib/permissions/policy";
import { exportFormats } from "@/lib/protocol/history";
import type { Action, ActionContext } from "./action";

const composerOf = ({ client }: ActionContext) => client.handles.composer;
/** The operations on the open session; null = it does not exist yet. */
export const sessionControlOf = (context: ActionContext) => composerOf(context)?.session ?? null;
const hasSessionControl = (context: ActionContext): boolean => sessionControlOf(context) !== null;
/** Returns the one of the words that the argument is; undefined = it is none of them. */
export const findWord = <Word extends string>(words: readonly Word[], argument: string | undefined): Word | undefined =>
  words.find((word) => word === argument);

export const conversationActions: readonly Action[] = [
  {
    id: "mode",
    group: "sessions",
    slash: { names: ["mode"], argument: modes },
    when: (context) => composerOf(context) !== undefined,
    perform: (context, argument) => {
      const mode = findWord(modes, argument);
      if (mode === undefined) composerOf(context)?.findMenu("mode")?.();
      else composerOf(context)?.setMode(mode);
    },
  },
  {
    id: "model",
    group: "sessions",
    slash: { names: ["model"], argument: "model" },
    when: (context) => composerOf(context) !== undefined,
    perform: (context, name) => {
      const openMenu = composerOf(context)?.findMenu("model") ?? (() => context.navigate("/settings/model"));
      if (name === undefined) openMenu();
      else composerOf(context)?.setModel(name);
    },
  },
  {
    id: "init",
    group: "sessions",
    slash: { names: ["init"] },
    when: (context) => composerOf(context) !== undefined && !context.isRunning,
    perform: ({ client: { call, handles } }) => {
      // Another session may be shown when the answer arrives.
      const { composer, conversation } = handles;
      void call("project.init_prompt", {}).then((answer) => {
        if (answer.ok) composer?.send(answer.value.text);
        else conversation?.offer("/init");
      });
    },
  },
  {
    id: "status",
    group: "sessions",
    slash: { names: ["status"] },
    when: (context) => (composerOf(context)?.findMenu("context") ?? null) !== null,
    perform: (context) => composerOf(context)?.findMenu("context")?.(),
  },
  {
    id: "compact",
    group: "sessions",
    slash: { names: ["compact"], argument: "focus" },
    when: hasSessionControl,
    perform: (context, focus = "") => {
      const { handles } = context.client;
      void sessionControlOf(context)
        ?.compact(focus)
        .then((isAccepted) => {
          if (!isAccepted && focus !== "") handles.conversation?.offer(`/compact ${focus}`);
        });
    },
  },
  {
    id: "fork",
    group: "sessions",
    slash: { names: ["fork"] },
    when: hasSessionControl,
    perform: (context) => sessionControlOf(context)?.fork(),
  },
  {
    id: "rewind",
    group: "sessions",
    slash: { names: ["rewind"] },
    when: hasSessionControl,
    perform: (context) => sessionControlOf(context)?.rewind(),
  },
  {
    id: "undo",
    group: "sessions",
    slash: { names: ["undo"] },
    when: (context) => hasSessionControl(context) && !context.isRunning,
    perform: (context) => sessionControlOf(context)?.undo(),
  },
  {
    id: "redo",
    group: "sessions",
    slash: { names: ["redo"] },
    when: hasSessionControl,
    perform: (context) => sessionControlOf(context)?.redo(),
  },
  {
    id: "exportSession",
    group: "sessions",
    slash: { names: ["export"], argument: exportFormats },
    when: hasSessionControl,
    perform: (context, format) => sessionControlOf(context)?.save(findWord(exportFormats, format) ?? "md"),
  },
  {
    id: "runWorkflow",
    group: "sessions",
    perform: ({ client }) => client.workbench.showOverlay("run_workflow"),
  },
  {
    id: "saveWorkflow",
    group: "sessions",
    when: ({ hasSession }) => hasSession,
    perform: ({ navigate, sessionId }) => navigate(`/settings/workflows#workflow/new/${sessionId}`),
  },
];
