"use client";
/** Page of one server: what waits for the user, its actions, its tools, how it is started, and its instructions. */
import type { McpServerView } from "@/lib/tools/mcp";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../../messages/full-messages";
import { VisibleText } from "../../../ui/text/visible-text";
import { Disclosure } from "../../item-section/disclosure";
import { SourceId } from "../../item-section/source-id";
import { ChangedTools } from "./changed-tools";
import { CommandLine } from "../command-line";
import { Fact, FactTable } from "../../item-section/item-page";
import { ForeignText } from "../../item-section/foreign-text";
import { McpError } from "../mcp-error";
import { ServerActions } from "./server-actions";
import { SignIn } from "./sign-in";
import { ServerDot, ServerStatus } from "../server-status";
import { NewestVersion } from "./newest-version";
import { fileInProject, toolSumText } from "../server-texts";
import { ServerValues } from "./server-values";
import { ToolList } from "./tool-list";
import { Button } from "../../../ui/controls/button";
import { useChange } from "../../../state/use-change";
import { mcpErrorText } from "../mcp-error-text";

/** Asks whether a server may be used: its whole command or address, and what approving does. */
function ApproveServer({ server, project }: ServerPartProps) {
  const { mcp: text, common } = useFullMessages();
  const { isBusy, perform } = useChange("toast", mcpErrorText);
  const isFailed = server.status === "failed";
  const isAddress = server.launch.address !== undefined;
  const retryTitle = isAddress ? text.retryAddressTitle : text.retryTitle;
  const retryNote = isAddress ? text.retryAddressNote : text.retryNote;
  const effect = isAddress ? text.approveAddressEffect : text.approveEffect;
  const title = isFailed ? retryTitle : text.approveTitle;
  return (
    <section aria-label={title} className="overflow-hidden rounded-card border border-ask/60 bg-raised">
      <h3 className="border-b border-ask/40 bg-ask-soft px-3.5 py-2 font-medium">{title}</h3>
      <div className="grid gap-3 p-3.5 *:min-w-0">
        {!isFailed && (
          <>
            <p className="max-w-[68ch] text-pretty">{isAddress ? text.approveAddressNote : text.approveNote}</p>
            <CommandLine launch={server.launch} />
            {server.isOfProject && (
              <p className="max-w-[68ch] [overflow-wrap:anywhere]">
                <VisibleText
                  text={text.approveOfProject(fileInProject(server.file, project.path))}
                  names={common.hidden}
                />
              </p>
            )}
          </>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-0 flex-1 basis-72 text-pretty text-ink-muted">{isFailed ? retryNote : effect}</p>
          <Button
            look={server.signIn === undefined || server.signIn === "signed_in" ? "primary" : "plain"}
            busy={isBusy}
            onClick={() =>
              void perform("mcp.approve", { projectId: project.id, server: server.id, launch: server.launchHash })
            }
          >
            {text.approve}
          </Button>
        </div>
      </div>
    </section>
  );
}

export interface ServerPartProps {
  readonly server: McpServerView;
  readonly project: Project;
}

export function ServerPage({ server, project }: ServerPartProps) {
  const messages = useFullMessages();
  const { mcp: text, common } = messages;
  const { name, status, error, instructions, unpinned, signIn, values = [] } = server;
  const isIncomplete = values.some(({ from }) => from === "none");
  const sum = toolSumText(server, messages);
  const canApprove = status === "unapproved" || status === "failed";
  return (
    <div className="grid gap-5 *:min-w-0">
      <div className="grid gap-1">
        <div className="flex flex-wrap items-baseline gap-x-2.5">
          <h2 className="text-title font-semibold [overflow-wrap:anywhere]">
            <VisibleText text={name} names={common.hidden} />
          </h2>
          <SourceId id={server.id} name={name} />
        </div>
        <p role="status" className="flex gap-2 text-ink-muted tabular-nums">
          <ServerDot status={status} className="mt-1.5" />
          <span>
            <ServerStatus server={server} />
            {sum !== "" && ` · ${sum}`}
          </span>
        </p>
        {error !== undefined && <McpError error={error} />}
      </div>
      {(signIn === "signed_out" || signIn === "scope_missing") && <SignIn server={server} project={project} />}
      {isIncomplete && <ServerValues server={server} project={project} />}
      {canApprove && <ApproveServer server={server} project={project} />}
      <ServerActions server={server} project={project} />
      <ChangedTools server={server} project={project} />
      <ToolList server={server} project={project} />
      {unpinned !== undefined && <NewestVersion server={server} project={project} />}
      <ServerFacts server={server} project={project} />
      {!isIncomplete && <ServerValues server={server} project={project} />}
      {instructions !== "" && (
        <Disclosure title={text.instructions}>
          <p className="mb-1.5 text-small text-ink-muted">{text.ownWords}</p>
          <ForeignText text={instructions} label={text.instructions} className="max-h-48" />
        </Disclosure>
      )}
    </div>
  );
}

function ServerFacts({ server: { launch, file, status, signIn, alsoIn }, project }: ServerPartProps) {
  const messages = useFullMessages();
  const { mcp: text, common } = messages;
  const isAddress = launch.address !== undefined;
  const none = isAddress ? text.noHeaders : text.noVariables;
  const variables = launch.variables.length === 0 ? none : launch.variables.join(", ");
  return (
    <FactTable>
      {/* An unapproved one shows it above. */}
      {status !== "unapproved" && (
        <Fact name={isAddress ? text.address : text.command}>
          <CommandLine launch={launch} />
        </Fact>
      )}
      <Fact name={isAddress ? text.headers : text.variables}>
        <VisibleText text={variables} names={common.hidden} />
      </Fact>
      {launch.envFile !== undefined && (
        <Fact name={text.envFile}>
          <code className="font-mono text-code">
            <VisibleText text={launch.envFile} names={common.hidden} />
          </code>
        </Fact>
      )}
      {signIn !== undefined && (
        <Fact name={text.signInTitle}>
          {{ signed_in: text.signedIn, signed_out: text.signedOut, scope_missing: text.scopeMissing }[signIn]}
        </Fact>
      )}
      <Fact name={text.file}>
        <code className="font-mono text-code">
          <VisibleText text={file} names={common.hidden} />
        </code>
      </Fact>
      {alsoIn !== undefined && (
        <Fact name={text.alsoIn}>
          <VisibleText
            text={text.alsoInNote(alsoIn.map((other) => fileInProject(other, project.path)).join(", "))}
            names={common.hidden}
          />
        </Fact>
      )}
    </FactTable>
  );
}
