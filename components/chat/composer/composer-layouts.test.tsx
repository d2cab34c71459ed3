// @vitest-environment happy-dom
/** The message field when the window changes between two layouts, which have a composer each. */
import { act, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { renderForUser } from "../../shell/frame/test-dom";
import { testClient } from "../../shell/frame/test-render";
import { Composer } from "./composer";
import { storeEarlyText } from "./drafts/early-text";
import type { ReferenceStore } from "./references/use-references";
import { testComposerProps } from "./test-composer-props";

const store: ReferenceStore = {
  find: () => Promise.resolve({ paths: ["src/app.ts"], files: 1, isComplete: true }),
  findSessions: () => Promise.resolve([]),
  findSymbols: () => Promise.resolve([]),
  measure: (references) =>
    Promise.resolve({ maxTokens: 1_000, sizes: references.map(() => ({ ok: true, tokens: 12 })) }),
};

let changeLayout = (_isPhone: boolean): void => undefined;

function Layouts() {
  const [isPhone, setPhone] = useState(false);
  changeLayout = (next) => act(() => setPhone(next));
  const composer = <Composer {...testComposerProps} draftKey="s1" referenceStore={store} />;
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

test("the menu of files stays open in the other layout", async () => {
  const user = await renderForUser(testClient(), <Layouts />);
  await user.clear(field());
  await user.type(field(), "see @app");
  await screen.findByRole("option");
  changeLayout(true);
  expect(await screen.findByRole("option")).toBeDefined();
});

test("a mention typed before the composer was there opens the menu of files", async () => {
  localStorage.clear();
  const early = document.createElement("textarea");
  early.dataset.draftKey = "s1";
  early.value = "see @app";
  document.body.append(early);
  early.focus();
  early.setSelectionRange(8, 8);
  storeEarlyText(early);
  early.remove();
  await renderForUser(testClient(), <Layouts />);
  expect(field().value).toBe("see @app");
  expect(await screen.findByRole("option")).toBeDefined();
});
