/** Renders parts of the shell for tests, and waits until what they load lazily is there. */
import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { prerender } from "react-dom/static";
import type { ActionContext } from "../../actions/action";
import { AppClientContext, createClient, type AppClient } from "../../state/client";
import { loadConversationMessages, StaticConversationMessages } from "../../messages/conversation-messages";
import { en } from "../../messages/en";
import { loadLateMessages, StaticLateMessages } from "../../messages/full-messages";
import { StaticMessages } from "../../messages/messages";
import { loadSharingMessages, StaticSharingMessages } from "../../messages/sharing-messages";
import { layoutPaneIds, paneRegistry } from "../panes/pane-registry";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";

const noStorage = { getItem: () => null, setItem: () => undefined };

export const testClient = (): AppClient =>
  createClient({ local: noStorage, tab: noStorage }, () => 0, layoutPaneIds(paneRegistry));

/** The context of an action on a workbench without a session. */
export const testActionContext = (client: AppClient): ActionContext => ({
  client,
  navigate: () => undefined,
  sessionId: null,
  isRunning: false,
  isWaiting: false,
  hasSession: false,
  removeSession: () => undefined,
  leavePage: null,
  setTheme: () => undefined,
});

/** A workbench without a project and without a session. */
export const emptyLocation: WorkbenchLocation = {
  projects: [],
  projectId: null,
  project: undefined,
  sessionId: null,
  session: { view: null, error: null, echoes: [], older: "idle" },
  isLoaded: true,
};

/** Returns the component inside the client, the query cache and the English messages. */
export const withProviders = async (client: AppClient, children: ReactNode): Promise<ReactNode> => (
  <AppClientContext value={client}>
    <QueryClientProvider client={client.cache}>
      <StaticMessages messages={en}>
        <StaticLateMessages messages={await loadLateMessages("en")}>
          <StaticSharingMessages messages={await loadSharingMessages("en")}>
            <StaticConversationMessages messages={await loadConversationMessages("en")}>
              {children}
            </StaticConversationMessages>
          </StaticSharingMessages>
        </StaticLateMessages>
      </StaticMessages>
    </QueryClientProvider>
  </AppClientContext>
);

/** Returns the markup in English once no component of it suspends any more. */
export async function renderLoaded(client: AppClient, children: ReactNode): Promise<string> {
  const { prelude } = await prerender(await withProviders(client, children));
  return (await new Response(prelude).text()).replaceAll("&#x27;", "'").replaceAll("<!-- -->", "");
}
