/** The workbench around the conversation in one tab: signing in, projects, the list of sessions, history, status. */
import { expect, type Locator, type Page } from "@playwright/test";
import { uiNames } from "./ui-names";
import { SessionPageObject } from "./session-page";

export class WorkbenchPageObject {
  readonly session: SessionPageObject;
  constructor(readonly page: Page) {
    this.session = new SessionPageObject(page);
  }

  /** Returns the page object of the same workbench in another tab. */
  inTab(page: Page): WorkbenchPageObject {
    return new WorkbenchPageObject(page);
  }

  get list(): Locator {
    return this.page.getByRole("navigation", { name: uiNames.sessions });
  }
  /** The element with the state of the connection: online, offline, gone ... */
  get connection(): Locator {
    return this.page.locator("[data-connection]");
  }
  get project(): Locator {
    return this.page.getByRole("banner").getByRole("button").first();
  }

  /** Opens a sign-in link, or a plain URL when the browser is already signed in. */
  async open(url: string): Promise<void> {
    await this.page.goto(url);
    await this.expectOnline();
  }

  async expectOnline(): Promise<void> {
    await expect(this.connection).toHaveAttribute("data-connection", "online");
  }

  /** Waits until the page has noticed that the server is gone: until then it shows the connection as online. */
  async expectDisconnected(): Promise<void> {
    await expect(this.connection).not.toHaveAttribute("data-connection", "online");
  }

  /** Sends a message in a new session; resolves with the session's id when the page shows the session. */
  async begin(text: string): Promise<string> {
    await this.session.sendMessage(text);
    const id = await this.session.id();
    // The address changes before the composer of the start page is replaced.
    await expect(this.session.root.locator("[data-composer]")).toBeAttached();
    return id;
  }

  async showProject(name: string): Promise<void> {
    await this.project.click();
    await this.page.getByRole("menu").getByRole("menuitemradio", { name }).click();
  }

  /** A session of the side panel by its title. */
  listed(title: string): Locator {
    return this.list.locator("[data-session]").filter({ hasText: title });
  }
}
