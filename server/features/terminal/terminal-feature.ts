/** Terminals of the projects: shells of the user, for the owner's clients only. */
import { ok } from "@/lib/events/error";
import { asId, type TerminalId } from "@/lib/events/id";
import { untilAborted } from "@/server/base/abort";
import type { Feature, FeatureHost } from "../feature";
import { makeTerminals } from "./terminals";

export function terminalFeature({
  environment,
  projects,
  push,
  settings,
}: Pick<FeatureHost, "environment" | "projects" | "push" | "settings">) {
  const terminals = makeTerminals({
    environment,
    shell() {
      const { terminalShell, terminalShellArguments } = settings();
      return { program: terminalShell, arguments: terminalShellArguments };
    },
    listChanged: (projectId, list) => push({ type: "terminals", projectId, terminals: list }),
    output: (terminalId, output) => push({ type: "terminal", terminalId, ...output }),
  });
  return {
    commands: {
      "terminal.list": ({ projectId }) => ok({ terminals: terminals.list(projectId) }),
      async "terminal.open"({ projectId, run, ...size }) {
        const project = await projects.get(projectId);
        if (!project.ok) return project;
        const terminal = await terminals.open(projectId, project.value.root, size, run);
        return terminal.ok ? ok({ terminal: terminal.value }) : terminal;
      },
      "terminal.write": ({ terminalId, text }) => terminals.write(terminalId, text),
      "terminal.resize": ({ terminalId, ...size }) => terminals.resize(terminalId, size),
      "terminal.reset": ({ terminalId }) => terminals.reset(terminalId),
      "terminal.rename": ({ terminalId, name }) => terminals.rename(terminalId, name),
      "terminal.restart": ({ terminalId }) => terminals.restart(terminalId),
      "terminal.close": ({ terminalId }) => terminals.close(terminalId),
    },
    topicSources: {
      terminal: {
        state(subject) {
          const terminalId = asId<TerminalId>(subject);
          const output = terminals.retained(terminalId);
          return output === null ? null : { type: "terminal", terminalId, ...output };
        },
        // A program that prints faster than the screens that show it waits, as on every terminal.
        setBehind: (subject, isBehind) => terminals.setPaused(asId<TerminalId>(subject), isBehind),
      },
    },
    keepsAlive: terminals.isAnyRunning,
    isWorking: terminals.isAnyWorking,
    async start(signal) {
      await untilAborted(signal);
      await terminals.closeAll();
    },
  } satisfies Feature;
}
