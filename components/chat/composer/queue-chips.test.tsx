import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import type { QueuedMessage } from "@/lib/events/event";
import { asId, type CommandId, type QueuedId } from "@/lib/events/id";
import { en } from "../../messages/en";
import * as enConversation from "../../messages/en-conversation";
import { StaticConversationMessages } from "../../messages/conversation-messages";
import { StaticMessages } from "../../messages/messages";
import { QueueChips } from "./queue-chips";

const message: QueuedMessage = {
  id: asId<QueuedId>("q1"),
  commandId: asId<CommandId>("c1"),
  intent: "followUp",
  text: "and the tests",
  at: 0,
};
const chips = (isIdle: boolean, isSummarising: boolean): string =>
  renderToString(
    <StaticMessages messages={en}>
      <StaticConversationMessages messages={enConversation}>
        <QueueChips
          queue={[message]}
          isIdle={isIdle}
          isSummarising={isSummarising}
          sendKey="enter"
          onEdit={() => undefined}
          onRemove={() => undefined}
          onSend={isIdle ? () => undefined : null}
        />
      </StaticConversationMessages>
    </StaticMessages>,
  );

test("a queued message shows when it is sent: after the run, after the summary, or with the next message", () => {
  expect(chips(false, false)).toContain("After this run");
  // A summary in the middle of a run is part of the run.
  expect(chips(false, true)).toContain("After this run");
  expect(chips(true, true)).toContain("After the summary");
  expect(chips(true, false)).toContain(">Waiting<");
});

test("a queued message can be sent only while no run or summary is open", () => {
  expect(chips(true, false)).toContain("Send now");
  expect(chips(true, true)).not.toContain("Send now");
  expect(chips(false, false)).not.toContain("Send now");
});
