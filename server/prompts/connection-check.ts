/** Texts sent by the connection test: the sections of connection-check.md. */
import { promptSection } from "./prompts";

export const connectionCheckText = (name: "answer" | "tools" | "echo"): string =>
  promptSection("connection-check.md", name);
