/** The history in one tab: its rows and their menus, the search, the filters, the statistics. */
import { expect, type Locator, type Page } from "@playwright/test";

export class HistoryPageObject {
  constructor(readonly page: Page) {}

  get main(): Locator {
    return this.page.getByRole("main");
  }
  get rows(): Locator {
    return this.main.getByRole("listitem").filter({ has: this.page.getByRole("checkbox") });
  }
  row(title: string): Locator {
    return this.rows.filter({ hasText: title });
  }
  /** Rows under one heading. */
  rowsUnder(heading: string): Locator {
    return this.main.getByRole("region", { name: heading }).getByRole("link");
  }
  get search(): Locator {
    return this.page.getByRole("searchbox");
  }
  /** Links to matches in sessions. */
  get hits(): Locator {
    return this.main.locator("a[data-hit]");
  }
  get chooser(): Locator {
    return this.main.locator("input[type=file]");
  }

  async open(origin: string, search = ""): Promise<void> {
    await this.page.goto(`${origin}/history${search}`);
    await expect(this.main).toBeVisible();
  }

  /** Chooses one item of the menu of a row. */
  async chooseRowAction(title: string, item: string): Promise<void> {
    await this.row(title).getByRole("button").click();
    await this.page.getByRole("menuitem", { name: item, exact: true }).click();
  }

  /** Shows active, archived or deleted sessions. */
  async show(shelfName: "Active" | "Archived" | "Trash"): Promise<void> {
    await this.main.getByRole("radio", { name: shelfName, exact: true }).click();
  }

  async filter(chip: "Project" | "Model" | "Date", choice: string): Promise<void> {
    await this.main.getByRole("button", { name: new RegExp(`^${chip}`) }).click();
    await this.page.getByRole("menuitemradio", { name: choice }).click();
  }

  async switchFilter(chip: "Has changes" | "Shared"): Promise<void> {
    await this.main.getByRole("button", { name: chip, exact: true }).click();
  }

  /** Clicks the button of the notice with this text; older notices may still be on screen. */
  async clickNoticeAction(action: string, text: string | RegExp): Promise<void> {
    const notice = this.page.locator("[data-look]").filter({ hasText: text });
    await notice.getByRole("button", { name: action, exact: true }).click();
  }

  /** Passes files to the import, as the browser's file chooser does. */
  async importFiles(...files: readonly { readonly name: string; readonly text: string }[]): Promise<void> {
    await this.chooser.setInputFiles(
      files.map(({ name, text }) => ({ name, mimeType: "application/jsonl", buffer: Buffer.from(text) })),
    );
  }
}
