/** Sharing from both sides: the owner's dialog, and a viewer's page. */
import { type Browser, type BrowserContext, expect, type Locator, type Page } from "@playwright/test";

/** The owner's share dialog. */
export class ShareDialog {
  readonly root: Locator;
  constructor(readonly page: Page) {
    this.root = page.getByRole("dialog", { name: /^Share(d sessions| session)$/ });
  }

  get badge(): Locator {
    return this.page.locator("[data-shared]");
  }
  get links(): Locator {
    return this.root.locator("[data-share]");
  }

  async open(): Promise<void> {
    await this.page.getByRole("button", { name: "Share", exact: true }).click();
    await expect(this.root).toBeVisible();
  }

  async close(): Promise<void> {
    await this.page.keyboard.press("Escape");
    await expect(this.root).toHaveCount(0);
  }

  /** Creates a link and returns it; the dialog shows it only now and stays open. */
  async create(options: { readonly kind?: "Live" | "Snapshot"; readonly outputs?: boolean } = {}): Promise<string> {
    await this.root.getByRole("radio", { name: options.kind ?? "Live" }).check();
    if (options.outputs === false) await this.root.getByRole("switch", { name: "Show outputs" }).click();
    await this.root.getByRole("button", { name: "Create link" }).click();
    const field = this.root.getByRole("textbox", { name: "Link" });
    await expect(field).toHaveValue(/^http:\/\/.+\/share#[\w-]{22,}$/);
    return field.inputValue();
  }
}

/** A phone that opens a link, with a record of everything it received. */
export class ViewerPhone {
  /** Frames its sockets received, as text. */
  readonly frames: string[] = [];
  /** URLs of all its requests. */
  readonly requests: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on("websocket", (socket) => {
      this.requests.push(socket.url());
      socket.on("framereceived", ({ payload }) => void this.frames.push(payload.toString()));
    });
    page.on("request", (request) => void this.requests.push(request.url()));
  }

  static async open(browser: Browser, locale = "en-US"): Promise<ViewerPhone> {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      locale,
      reducedMotion: "reduce",
    });
    return new ViewerPhone(context, await context.newPage());
  }

  get conversation(): Locator {
    return this.page.getByRole("log");
  }
  get refusal(): Locator {
    return this.page.locator("[data-refused]");
  }

  /** Returns everything that a person or a program on this phone could read of the page. */
  async allReceivedText(): Promise<string> {
    return `${await this.page.content()}\n${this.frames.join("\n")}`;
  }
}
