/** One session in one tab: the conversation, its cards and the composer. */
import { expect, type Locator, type Page } from "@playwright/test";
import { names } from "./names";

/** A finished or running tool line by the words it begins with: verb, then target. */
export interface LineWords {
  readonly verb: string;
  readonly target: string;
}

export class SessionPage {
  constructor(readonly page: Page) {}

  /** Carries `data-seq`, the seq of the view it shows. */
  get root(): Locator {
    return this.page.locator("section[data-session]");
  }
  get conversation(): Locator {
    return this.page.getByRole("log", { name: names.conversation });
  }
  get composer(): Locator {
    return this.page.getByRole("textbox", { name: names.message });
  }
  get stop(): Locator {
    return this.page.locator("[data-composer]").getByRole("button", { name: names.stop });
  }
  get queue(): Locator {
    return this.page.getByRole("list", { name: names.queue }).getByRole("listitem");
  }
  /** Cards that wait for the user, oldest first. */
  get cards(): Locator {
    return this.page.locator("[data-approval]");
  }
  get card(): SessionCard {
    return new SessionCard(this.cards.first());
  }
  get resume(): Locator {
    return this.conversation.getByRole("button", { name: names.resume });
  }

  async say(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press("Enter");
  }

  said(text: string): Locator {
    return this.conversation.getByRole("article", { name: names.you }).filter({ hasText: text });
  }

  /** Returns the tool lines with these words, in order. */
  lines({ verb, target }: LineWords): Locator {
    return this.conversation
      .locator("[data-state]")
      .filter({ has: this.page.getByRole("button", { name: new RegExp(`^${verb} ${literally(target)}`) }) });
  }

  /** Waits until the session is idle: nothing streams, nothing runs. */
  async expectIdle(): Promise<void> {
    await expect(this.page.locator("[data-composer]")).toHaveAttribute("data-state", "idle");
  }

  /** The button that shows the mode and opens the menu of modes. */
  get stance(): Locator {
    return this.page
      .locator("[data-composer]")
      .getByRole("button", { name: new RegExp(`^(?:${Object.values(names.modes).join("|")})$`) });
  }

  async choose(mode: keyof typeof names.modes): Promise<void> {
    await this.stance.click();
    await this.page
      .getByRole("menu", { name: names.mode })
      .getByRole("menuitemradio", { name: names.modes[mode] })
      .click();
    await expect(this.page.locator("[data-composer]")).toHaveAttribute("data-mode", mode);
  }

  /** Returns the session id in the URL. */
  async id(): Promise<string> {
    await expect(this.page).toHaveURL(/\/s\/[\w-]+$/);
    return new URL(this.page.url()).pathname.slice("/s/".length);
  }
}

/** An approval card that waits for an answer. */
export class SessionCard {
  constructor(readonly root: Locator) {}

  button(name: string): Locator {
    return this.root.getByRole("button", { name });
  }
  get once(): Locator {
    return this.button(names.allowOnce);
  }
  get always(): Locator {
    return this.button(names.alwaysAllow);
  }
  get deny(): Locator {
    return this.root.getByRole("button", { name: /^Deny(?! and)/ });
  }
  /** Lines of the difference that would be added or removed, as text without numbers. */
  changed(kind: "add" | "remove"): Locator {
    return this.root.locator(`[data-line="${kind}"]`);
  }
  async id(): Promise<string> {
    return (await this.root.getAttribute("data-approval")) ?? "";
  }
  async denyBecause(reason: string): Promise<void> {
    await this.button(names.denyWhy).click();
    await this.root.getByRole("textbox", { name: names.reason }).fill(reason);
    await this.root.getByRole("textbox", { name: names.reason }).press("Enter");
  }
}

export const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
