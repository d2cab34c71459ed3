"use client";
/** Button that allows the network to the sandboxed commands of this session, and states that it is allowed. */
import { useState } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import { Button } from "../../ui/controls/button";
import { useConversationActions, useConversationFacts } from "../actions";
import { UserMark } from "../user-mark";

export function NetworkButton() {
  const { approval, sandboxFailures } = useConversationMessages();
  const { runControls } = useConversationActions();
  const { isNetworkAllowed } = useConversationFacts();
  const [isBusy, setBusy] = useState(false);
  if (isNetworkAllowed) return <UserMark>{sandboxFailures.networkAllowed}</UserMark>;
  if (runControls === null) return null;
  return (
    <Button
      size="small"
      busy={isBusy}
      onClick={() => {
        setBusy(true);
        void runControls.allowNetwork().finally(() => setBusy(false));
      }}
    >
      {approval.network}
    </Button>
  );
}
