/** The Changes view, the restore dialog and the trash of one tab. */
import type { Locator, Page } from "@playwright/test";

export class ChangesPageObject {
  constructor(readonly page: Page) {}

  /** The button at the end of the newest run that changed files. */
  get review(): Locator {
    return this.page.getByRole("log").getByRole("button", { name: "Review" }).last();
  }
  get pane(): Locator {
    return this.page.getByRole("region", { name: "Changes" });
  }
  scope(name: "To review" | "Last run" | "Earlier run" | "This session" | "Working tree"): Locator {
    return this.pane.getByRole("radio", { name });
  }
  file(path: string): Locator {
    return this.pane.locator(`[data-file="${path}"]`);
  }
  get restoreThese(): Locator {
    return this.pane.getByRole("button", { name: /^Undo \d+ files?…$/ });
  }
  get trash(): Locator {
    return this.pane.getByRole("button", { name: "Trash" });
  }
  get dialog(): Locator {
    return this.page.getByRole("dialog", { name: /^(Undo|Redo)$/ });
  }
  step(path: string): Locator {
    return this.dialog.locator(`[data-step="${path}"]`);
  }
  get submit(): Locator {
    return this.dialog.locator('button[data-look="primary"]');
  }
  trashed(path: string): Locator {
    return this.page.getByRole("dialog", { name: "Trash" }).locator("[data-trash]").filter({ hasText: path });
  }
}
