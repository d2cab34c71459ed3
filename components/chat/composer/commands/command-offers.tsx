"use client";
/**
 * Slash commands of extensions: the names that complete the text, and what sends a complete one: its text replaces it in
 * the field, and is not sent.
 */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { offeredCommandsQuery } from "../../../state/extension-queries";
import { useStore } from "../../../state/store";
import type { OfferGroup } from "../menus/offer-menu";
import { useTakenKeys } from "../menus/use-taken-keys";
import { completeCommand, parseCommand } from "./match-command";

interface CommandOffersProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The text is, or begins, a command of the program: Enter is not for a command of an extension. */
  readonly hasOwn: boolean;
  /** Draws the menu with the commands of extensions; not called while a command runs. */
  readonly children: (commands: OfferGroup) => ReactNode;
}

export function CommandOffers(props: CommandOffersProps) {
  const projectId = useStore(useClient().workbench, (workbench) => workbench.projectId);
  return projectId === null ? null : <ProjectCommandOffers {...props} projectId={projectId} />;
}

function ProjectCommandOffers({
  text,
  onText,
  hasOwn,
  children,
  projectId,
}: CommandOffersProps & { readonly projectId: ProjectId }) {
  const { extensions: messages } = useFullMessages();
  const { data = [] } = useQuery(offeredCommandsQuery(useClient().call, projectId));
  const anchor = useRef<HTMLDivElement>(null);
  const { running, expand, stop } = useExpandCommand(projectId, text, onText);
  const command = parseCommand(text, hasOwn ? [] : data);
  useTakenKeys(anchor, running !== null, { Escape: stop, Enter: () => {} });
  useEffect(() => {
    const composer = anchor.current?.closest("[data-composer]");
    if (command === null || composer === null || composer === undefined) return;
    const take = (event: Event): void => {
      event.preventDefault();
      if (running === null) expand(command);
    };
    composer.addEventListener("beforesend", take);
    return () => composer.removeEventListener("beforesend", take);
  });
  const rows = completeCommand(text, data, hasOwn).map(({ name, description }) => ({
    key: name,
    name: `/${name}`,
    detail: description,
    pick: () => onText(`/${name} `),
  }));
  return (
    <div ref={anchor}>
      {running === null && children({ label: messages.menuLabel, rows })}
      {running !== null && (
        <p
          role="status"
          className="absolute bottom-full left-0 z-10 mb-1 max-w-full animate-appear rounded-full border border-line bg-raised px-3 py-1 text-small shadow-rest"
        >
          {messages.expanding(running)}
        </p>
      )}
    </div>
  );
}

function useExpandCommand(projectId: ProjectId, text: string, onText: (text: string) => void) {
  const { extensions: messages, errors } = useFullMessages();
  const { call, toasts } = useClient();
  const [running, setRunning] = useState<string | null>(null);
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  }, [text]);
  const expand = async ({ name, input }: { readonly name: string; readonly input: string }): Promise<void> => {
    const before = latest.current;
    setRunning(name);
    const answer = await call("extensions.expand", { projectId, name, arguments: input });
    setRunning(null);
    if (answer.ok) {
      // What was typed meanwhile is not replaced.
      if (latest.current === before) onText(answer.value.text);
      return;
    }
    const { code, detail } = answer.error;
    const reason = detail ?? (code === "changed_meanwhile" ? messages.changedMeanwhile : errors.sentences[code]);
    const failed = `${messages.expandFailed(name)}: ${reason}`;
    toasts.show({ text: code === "aborted" ? messages.expandStopped(name) : failed, look: "danger" });
  };
  return {
    running,
    expand: (command: Parameters<typeof expand>[0]) => void expand(command),
    stop: () => void call("extensions.stop", { projectId }),
  };
}
