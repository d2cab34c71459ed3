/** Rewind, redo and branches in one tab: the menus of messages and runs, the banner of the redo, the tree. */
import type { Locator, Page } from "@playwright/test";
import { SessionPageObject } from "./session-page";

export class BranchesPageObject {
  readonly session: SessionPageObject;
  constructor(readonly page: Page) {
    this.session = new SessionPageObject(page);
  }

  /** Shown above the composer after a rewind. */
  get banner(): Locator {
    return this.page.locator("[data-rewound]");
  }
  get redo(): Locator {
    return this.banner.getByRole("button", { name: "Redo" });
  }
  get editor(): Locator {
    return this.session.conversation.getByRole("textbox", { name: "Edited message" });
  }

  async chooseMessageAction(text: string, item: string): Promise<void> {
    await this.session.userMessage(text).hover();
    await this.session.userMessage(text).getByRole("button", { name: "Message actions" }).click();
    await this.page.getByRole("menuitem", { name: item }).click();
  }

  /** Chooses an item in the menu of the last answer. */
  async chooseRunAction(item: string): Promise<void> {
    await this.session.conversation.getByRole("button", { name: "Answer actions" }).last().click();
    await this.page.getByRole("menuitem", { name: item }).click();
  }

  get tree(): Locator {
    return this.page.getByRole("dialog", { name: "Branches" });
  }
  /** Presses Esc twice at the speed of a user, however slow the machine is. */
  async openByKeys(): Promise<void> {
    await this.session.expectIdle();
    await this.session.composer.focus();
    await Promise.all([this.page.keyboard.press("Escape"), this.page.keyboard.press("Escape")]);
  }
  get rows(): Locator {
    return this.tree.getByRole("treeitem");
  }
  queued(text: string): Locator {
    return this.session.queue.filter({ hasText: text });
  }
}
