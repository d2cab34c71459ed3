/** The security settings of one tab, and the dialog that asks whether a folder is trusted. */
import { expect, type Locator, type Page } from "@playwright/test";

export class SecurityPageObject {
  constructor(readonly page: Page) {}

  async open(origin: string): Promise<void> {
    await this.page.goto(`${origin}/settings/permissions`);
    await expect(this.rules).toBeVisible();
  }

  get rules(): Locator {
    return this.page.getByRole("region", { name: "Rules", exact: true });
  }
  get log(): Locator {
    return this.page.getByRole("region", { name: "Decisions" });
  }
  get trusted(): Locator {
    return this.page.getByRole("region", { name: "Trusted folders" });
  }
  get sandbox(): Locator {
    return this.page.getByRole("region", { name: "Sandbox" });
  }
  rule(text: string): Locator {
    return this.rules.locator("[data-rule]").filter({ hasText: text });
  }

  /** Adds a rule. `about` is Commands, or the kind of file access. */
  async addRule(effect: "Allow" | "Ask" | "Deny", subject: string, pattern: string): Promise<void> {
    await this.rules.getByRole("button", { name: "Add rule" }).click();
    const form = this.rules.getByRole("form", { name: "Add rule" });
    await form.getByRole("radio", { name: effect, exact: true }).check();
    await form.getByRole("combobox", { name: "Applies to" }).selectOption({ label: subject });
    await form.getByRole("textbox").fill(pattern);
    await form.getByRole("button", { name: "Save rule" }).click();
    await expect(this.rule(pattern)).toContainText(effect);
  }

  /** Enters a command in the tester and returns its verdict. */
  async tryCommand(command: string): Promise<Locator> {
    const tester = this.rules.getByRole("region", { name: "Try it" });
    await tester.getByRole("textbox").fill(command);
    return tester.getByRole("status");
  }

  /** The unobtrusive notice about an untrusted folder. */
  get untrustedNotice(): Locator {
    return this.page.getByText("Git is off until you trust this folder");
  }
  get trustDialog(): Locator {
    return this.page.getByRole("dialog", { name: /^Trust / });
  }
}
