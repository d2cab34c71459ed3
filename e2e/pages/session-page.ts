/** One session in one tab: the conversation, its cards and the composer. */
import { expect, type Locator, type Page } from "@playwright/test";
import { limits } from "@/lib/settings/settings";
import { uiNames } from "./ui-names";

/** A finished or running tool line by the words it begins with: verb, then target. */
interface ToolLineText {
  readonly verb: string;
  readonly target: string;
}

export class SessionPageObject {
  constructor(readonly page: Page) {}

  /** Carries `data-seq`, the seq of the view it shows. */
  get root(): Locator {
    return this.page.locator("section[data-session]");
  }
  get conversation(): Locator {
    return this.page.getByRole("log", { name: uiNames.conversation });
  }
  get composer(): Locator {
    return this.page.getByRole("textbox", { name: uiNames.message });
  }
  get stop(): Locator {
    return this.page.locator("[data-composer]").getByRole("button", { name: uiNames.stop });
  }
  get queue(): Locator {
    return this.page.getByRole("list", { name: uiNames.queue }).getByRole("listitem");
  }
  /** Cards that wait for the user, oldest first. */
  get cards(): Locator {
    return this.page.locator("[data-approval]");
  }
  get card(): SessionCard {
    return new SessionCard(this.cards.first());
  }
  get resume(): Locator {
    return this.conversation.getByRole("button", { name: uiNames.resume });
  }

  /** Waits until the composer accepts a message: the page is online and has a model. */
  async expectReady(): Promise<void> {
    await expect(this.page.locator("[data-composer]")).toHaveAttribute("data-state", /^(?:idle|running|waiting)$/);
  }

  async sendMessage(text: string): Promise<void> {
    await this.expectReady();
    await this.composer.fill(text);
    await this.composer.press("Enter");
  }

  /**
   * Waits until the card takes keys: cards ignore them for a moment after they appear, become the next one, or text was
   * typed. The moment is measured by the page's own clock.
   */
  async waitForCardRest(): Promise<void> {
    await this.page.evaluate(
      (restMs) =>
        new Promise<void>((done) => {
          // After two frames the card has been drawn and its moment has begun.
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, restMs)));
        }),
      limits.approvalRestMs,
    );
  }

  /** Presses a key for a card once the card takes it. */
  async pressForCard(key: string): Promise<void> {
    await this.waitForCardRest();
    await this.page.keyboard.press(key);
  }

  userMessage(text: string): Locator {
    return this.conversation.getByRole("article", { name: uiNames.you }).filter({ hasText: text });
  }

  /** Returns the tool lines with these words, in order. */
  lines({ verb, target }: ToolLineText): Locator {
    return this.conversation
      .locator("[data-state]")
      .filter({ has: this.page.getByRole("button", { name: new RegExp(`^${verb} ${escapeRegExp(target)}`) }) });
  }

  /** Waits until the session is idle: nothing streams, nothing runs. */
  async expectIdle(): Promise<void> {
    await expect(this.page.locator("[data-composer]")).toHaveAttribute("data-state", "idle");
  }

  /** Waits until the first run of a session has ended. Before the run starts, the session is idle as well. */
  async expectFirstRunEnd(): Promise<void> {
    await expect(this.conversation.locator("[data-run-actions]").first()).toBeAttached();
    await this.expectIdle();
  }

  /** The button that shows the mode and opens the menu of modes. */
  get modeButton(): Locator {
    return this.page
      .locator("[data-composer]")
      .getByRole("button", { name: new RegExp(`^(?:${Object.values(uiNames.modes).join("|")})$`) });
  }

  async chooseMode(mode: keyof typeof uiNames.modes): Promise<void> {
    await this.modeButton.click();
    await this.page
      .getByRole("menu", { name: uiNames.mode })
      .getByRole("menuitemradio", { name: uiNames.modes[mode] })
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
class SessionCard {
  constructor(readonly root: Locator) {}

  button(name: string): Locator {
    return this.root.getByRole("button", { name });
  }
  get once(): Locator {
    return this.button(uiNames.allowOnce);
  }
  get always(): Locator {
    return this.button(uiNames.alwaysAllow);
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
    await this.button(uiNames.denyWhy).click();
    await this.root.getByRole("textbox", { name: uiNames.reason }).fill(reason);
    await this.root.getByRole("textbox", { name: uiNames.reason }).press("Enter");
  }
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
