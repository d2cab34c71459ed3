// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ApprovalId, type Hash } from "@/lib/events/id";
import * as enConversation from "../../messages/en-conversation";
import { renderForUser } from "../../shell/frame/test-dom";
import { testClient } from "../../shell/frame/test-render";
import type { ApprovalAnswer } from "../actions";
import { ApprovalActions } from "./approval-actions";
import { listApprovalChoices } from "./approval-choices";

const { approval: texts } = enConversation;

test("a card that offers the network has a button for it and one to run without it", async () => {
  const approval = {
    approvalId: asId<ApprovalId>("a1"),
    at: 0,
    boundTo: asId<Hash>("h1"),
    options: ["network", "once", "deny"] as const,
  };
  const answers: ApprovalAnswer[] = [];
  const user = await renderForUser(
    testClient(),
    <ApprovalActions
      approval={approval}
      choices={listApprovalChoices(approval)}
      editing={null}
      onEdit={() => undefined}
      onAnswer={(answer) => answers.push(answer)}
      busy={false}
      isNext
    />,
  );
  expect(screen.queryByText(texts.once)).toBeNull();
  await user.click(screen.getByRole("button", { name: new RegExp(texts.network) }));
  await user.click(screen.getByRole("button", { name: new RegExp(texts.withoutNetwork) }));
  expect(answers).toEqual([{ option: "network" }, { option: "once" }]);
});
