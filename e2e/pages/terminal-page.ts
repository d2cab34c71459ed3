/** The terminal panel of the workbench. */
import { expect, type Locator, type Page } from "@playwright/test";
import { uiNames } from "./ui-names";

/** Without WebGL the screen is made of elements, whose text a test can read. */
export const withoutWebgl = (page: Page) =>
  page.addInitScript(() => {
    const getContext = HTMLCanvasElement.prototype.getContext;
    Object.assign(HTMLCanvasElement.prototype, {
      getContext(this: HTMLCanvasElement, kind: string, options?: unknown) {
        return kind === "webgl2" ? null : Reflect.apply(getContext, this, [kind, options]);
      },
    });
  });

export class TerminalPageObject {
  constructor(readonly page: Page) {}

  /** Rows of the screens, as assistive technology reads them. */
  get screens(): Locator {
    return this.page.locator("[data-terminal]");
  }
  get tabs(): Locator {
    return this.page.getByRole("tablist", { name: uiNames.terminals }).locator("..").getByRole("tab");
  }
  /** The field that receives the keys of the only terminal on the screen. */
  get input(): Locator {
    return this.screens.getByRole("textbox");
  }
  button(name: string): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** Opens the panel by its shortcut; resolves when the shell has drawn its prompt. */
  async open(): Promise<void> {
    await this.page.keyboard.press("Control+Backquote");
    await this.expectPrompt();
  }

  async expectPrompt(index = 0): Promise<void> {
    await expect.poll(() => this.text(index)).toMatch(/[$#%>] *$/);
  }

  /** Text of a screen, without empty rows at its end. */
  text(index = 0): Promise<string> {
    return this.screens.nth(index).evaluate((element) => {
      const rows = [...element.querySelectorAll(".xterm-rows > div")];
      return rows
        .map((row) => (row.textContent ?? "").trimEnd())
        .join("\n")
        .trimEnd();
    });
  }

  async choose(item: string): Promise<void> {
    await this.button(uiNames.terminalMenu).click();
    await this.page.getByRole("menuitem", { name: item }).click();
  }

  async type(command: string, index = 0): Promise<void> {
    await this.screens.nth(index).click();
    await this.page.keyboard.type(command);
    await this.page.keyboard.press("Enter");
  }
}
