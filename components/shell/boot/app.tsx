"use client";
/**
 * Root component: the static export renders the bare shell; the browser starts the client and renders the workbench.
 */
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { newDraftKey } from "../../chat/composer/drafts/early-text";
import { useEarlyComposition } from "../../chat/composer/drafts/use-early-text";
import { type AppClient, AppClientContext, createClient, useClient } from "../../state/client";
import { useServerState } from "../../state/use-server-state";
import { hasSignInToken, signIn, type SignInResult, takeSignInToken } from "../../state/connection/sign-in";
import { useStore } from "../../state/store";
import { clearTabProject } from "../../state/workbench/workbench-store";
import { applyLook } from "../../ui/theme/theme";
import type { Locale } from "../../messages/figures";
import { resolveLocale } from "../../messages/resolve-locale";
import { loadMessages, MessagesProvider } from "../../messages/messages";
import { BareShell } from "./bare-shell";
import { browserStorage, rememberLanguage, rememberedLanguage, rememberSendKey } from "./browser-storage";
import { ErrorBoundary } from "../notices/error-boundary";
import { parseRoute, usePath } from "../navigation/router";
import { layoutPaneIds, paneRegistry } from "../panes/pane-registry";
import { Workbench } from "../frame/workbench";

// Lazy: a signed-in browser does not show it.
const SignInPage = lazy(async () => ({ default: (await import("./sign-in-page")).SignInPage }));

interface Boot {
  readonly client: AppClient;
  /** null = the URL contained no token. */
  readonly signedIn: Promise<SignInResult | null>;
}

let boot: Boot | null = null;

/** Creates the client and starts the sign-in once per page load, however often React renders. */
function bootOnce(): Boot {
  if (boot === null) {
    const token = takeSignInToken();
    if (token !== null) clearTabProject(browserStorage());
    const client = createClient(browserStorage(), Date.now, layoutPaneIds(paneRegistry));
    // Loaded with the first error: most pages have none. That it cannot be loaded is not reported again.
    for (const type of ["error", "unhandledrejection"])
      addEventListener(type, (event) =>
        import("../../state/report-page-error").then(
          (late) => late.reportPageError(event, client.call),
          () => undefined,
        ),
      );
    const signedIn = token === null ? Promise.resolve(null) : signIn(token);
    void signedIn.then(() => client.start());
    boot = { client, signedIn };
  }
  return boot;
}

/** Whether React has replaced the markup of the exported page. */
let isShown = false;
const isReplaced = (): boolean => isShown;

const initialLocale = (): Locale => resolveLocale(rememberedLanguage(), navigator.languages);
// Messages and connection load while React hydrates the exported page. With a token in the URL, the start waits for
// `BootedApp`: if the token were removed from the URL here, the router, which has already read the URL, would put it back.
if (typeof window !== "undefined") {
  void loadMessages(initialLocale());
  if (!hasSignInToken()) bootOnce();
}

export function App() {
  const path = usePath();
  const isComposing = useEarlyComposition(isReplaced);
  return path === null || isComposing ? <BareShell /> : <BootedApp path={path} />;
}

function BootedApp({ path }: { readonly path: string }) {
  const [{ client, signedIn }] = useState(bootOnce);
  const [result, setResult] = useState<SignInResult | null>(null);
  useEffect(() => {
    isShown = true;
    void signedIn.then(setResult);
  }, [signedIn]);
  return (
    <AppClientContext value={client}>
      <QueryClientProvider client={client.cache}>
        <LocalizedApp path={path}>
          <ErrorBoundary resetKey={path}>
            <AuthGate result={result} path={path} />
          </ErrorBoundary>
        </LocalizedApp>
      </QueryClientProvider>
    </AppClientContext>
  );
}

/**
 * Applies language and look from the settings; before the settings have loaded, uses the values this browser stored.
 */
function LocalizedApp({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  const settings = useServerState("settings");
  const language = settings?.language ?? rememberedLanguage();
  const locale = resolveLocale(language, navigator.languages);
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  useEffect(() => {
    if (settings === undefined) return;
    rememberLanguage(settings.language);
    rememberSendKey(settings.sendKey);
    applyLook(settings);
  }, [settings]);
  return (
    <Suspense fallback={<BareShell {...draftKeyProps(path)} />}>
      <MessagesProvider locale={locale}>{children}</MessagesProvider>
    </Suspense>
  );
}

/** Returns the draft key of the page's composer; empty for pages without a composer. */
function draftKeyProps(path: string): { readonly draftKey?: string } {
  const route = parseRoute(path);
  if (route.page === "session") return { draftKey: route.id };
  return route.page === "home" ? { draftKey: newDraftKey } : {};
}

function AuthGate({ result, path }: { readonly result: SignInResult | null; readonly path: string }) {
  const client = useClient();
  const isOutside = useStore(client.connection.state, (state) => state === "unauthorized");
  return isOutside ? (
    <Suspense>
      <SignInPage result={result} />
    </Suspense>
  ) : (
    <Workbench path={path} />
  );
}
