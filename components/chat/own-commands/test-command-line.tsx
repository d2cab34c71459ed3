/** Renders the line of a command of the agent, for tests of its notes and buttons. */
import { asId, type CallId } from "@/lib/events/id";
import type { CallFacts } from "@/lib/events/tool-kind";
import type { CallView } from "@/lib/view/view";
import { renderForUser } from "../../shell/frame/test-dom";
import { testClient } from "../../shell/frame/test-render";
import { ConversationActionsContext, ConversationFactsContext, defaultFacts, readOnlyActions } from "../actions";
import { noop, noopRunControls } from "../noop-run-controls";
import { ToolLine } from "../tools/tool-line";
import type { OwnRun } from "./own-command";

interface CommandScene {
  readonly isOwner?: boolean;
  readonly ownRun?: OwnRun;
  readonly isNetworkAllowed?: boolean;
  readonly more?: Partial<CallView>;
}

/**
 * Renders the line of a command that failed with these facts; returns the commands that the user ran, and "network" when
 * that was allowed.
 */
export async function renderCommandLine(
  facts: CallFacts,
  { isOwner = true, ownRun = "offered", isNetworkAllowed = false, more }: CommandScene = {},
) {
  const commands: string[] = [];
  const runCommand = (command: string) => Promise.resolve(commands.push(command) > 0);
  const allowNetwork = () => runCommand("network");
  const call: CallView = {
    callId: asId<CallId>("c"),
    name: "bash",
    kind: "shell",
    target: "make install",
    facts: { exit: 1, ...facts },
    state: "ok",
    approvals: [],
    ...more,
  };
  const user = await renderForUser(
    testClient(),
    <ConversationActionsContext
      value={{ ...readOnlyActions, runControls: isOwner ? { ...noopRunControls, runCommand, allowNetwork } : null }}
    >
      <ConversationFactsContext value={{ ...defaultFacts, isNetworkAllowed }}>
        <ToolLine call={call} ownRun={ownRun} open={false} onToggle={noop} />
      </ConversationFactsContext>
    </ConversationActionsContext>,
  );
  return { user, commands };
}
