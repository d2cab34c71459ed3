// @vitest-environment happy-dom
/** The message field when the window changes between two layouts, which have a composer each. */
import { act, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { renderForUser } from "../../shell/frame/test-dom";
import { testClient } from "../../shell/frame/test-render";
import { Composer } from "./composer";
import { testModelMenu } from "./test-model-menu";

let changeLayout = (_isPhone: boolean): void => undefined;

function Layouts() {
  const [isPhone, setPhone] = useState(false);
  changeLayout = (next) => act(() => setPhone(next));
  const nothing = (): void => undefined;
  const composer = (
    <Composer
      draftKey="s1"
      state="idle"
      mode="ask"
      sendKey="enter"
      queue={[]}
      history={[]}
      onMode={nothing}
      onEditQueued={nothing}
      onRemoveQueued={() => Promise.resolve(true)}
      onSendQueued={nothing}
      onSend={() => Promise.resolve(true)}
      onRunCommand={() => Promise.resolve(true)}
      onStop={nothing}
      modelMenu={testModelMenu}
    />
  );
  return isPhone ? <main>{composer}</main> : <section>{composer}</section>;
}

const field = () => screen.getByRole<HTMLTextAreaElement>("textbox");

test("text, focus and selection move to the field of the other layout", async () => {
  const user = await renderForUser(testClient(), <Layouts />);
  await user.type(field(), "fix it");
  field().setSelectionRange(2, 4);
  const before = field();
  changeLayout(true);
  expect(field()).not.toBe(before);
  expect([field().value, field().selectionStart, field().selectionEnd]).toEqual(["fix it", 2, 4]);
  expect(document.activeElement).toBe(field());
  await user.type(field(), "!", { initialSelectionStart: 6, initialSelectionEnd: 6 });
  changeLayout(false);
  expect(field().value).toBe("fix it!");
});

test("a field without focus gets none in the other layout", async () => {
  const user = await renderForUser(testClient(), <Layouts />);
  await user.type(field(), "fix it");
  field().blur();
  changeLayout(true);
  expect(field().value).toBe("fix it");
  expect(document.activeElement).not.toBe(field());
});
