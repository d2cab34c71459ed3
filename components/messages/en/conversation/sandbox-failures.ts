/** A command that probably failed because of the sandbox. */
import type { SandboxFailure } from "@/lib/events/tool-kind";

export const sandboxFailures = {
  causes: {
    files: "The sandbox probably stopped this: it lets commands write only to the project, /tmp, and caches.",
    network: "The sandbox probably stopped this: it has no network.",
    local: "The sandbox may have stopped this: it reaches only programs that the command itself starts.",
    hidden: "The sandbox probably stopped this: it hides keys, passwords, and the sockets of other programs.",
  } satisfies Record<SandboxFailure, string>,
  waitsOffline:
    "This command runs without the network. If it waits for it, allow the network, then end the command so that the model can run it again.",
  networkAllowed: "Network allowed in this session",
};
