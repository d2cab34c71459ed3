/**
 * The service worker: a page for when the server cannot be reached, and the notifications of Web Push. It stores nothing,
 * so that a new version of the program is in use with the next load. Its texts are here because it can load no others.
 */
/** Address of a file or a page of this server, whose pages may be below a path of their origin. */
const addressOf = (path) => new URL(path, registration.scope).href;
const isChinese = /^zh\b/i.test(navigator.language);
const texts = isChinese
  ? {
      title: "无法连接 gopi-web",
      note: "运行 gopi-web 的电脑没有响应。它可能已关闭、处于睡眠状态，或不在此网络中。恢复后此页面会自动重新加载。",
      retry: "重试",
      needed: "有会话需要你处理",
    }
  : {
      title: "gopi-web can't be reached",
      note: "The machine that runs gopi-web doesn't answer. It may be off, asleep, or on another network. This page reloads when it is back.",
      retry: "Try again",
      needed: "A session needs you",
    };

const offlinePage = `<!doctype html>
<html lang="${isChinese ? "zh-CN" : "en"}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>gopi-web</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #fafaf8; color: #1c1f24; }
  main { max-width: 26rem; padding: 1.5rem; }
  h1 { margin: 0 0 0.5rem; font-size: 1.15rem; }
  p { margin: 0 0 1rem; opacity: 0.75; }
  button { font: inherit; min-height: 2.75rem; padding: 0 1.1rem; border: 0; border-radius: 7px; background: #00734c; color: #fff; }
  @media (prefers-color-scheme: dark) { body { background: #15171b; color: #ecebe8; } }
</style>
<main>
  <h1>${texts.title}</h1>
  <p>${texts.note}</p>
  <button onclick="location.reload()">${texts.retry}</button>
</main>
<script>
  setInterval(() => fetch("${addressOf("api/health")}").then(({ ok }) => ok && location.reload(), () => {}), 5000);
</script>
</html>`;

const offlineAnswer = () =>
  new Response(offlinePage, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });

addEventListener("install", (event) => {
  skipWaiting();
  // Where the browser can, it asks the server without waiting for this worker to start.
  event.waitUntil(event.addRoutes?.({ condition: { requestMode: "navigate" }, source: "race-network-and-fetch-handler" }));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(fetch(event.request).catch(offlineAnswer));
});

/** The message is encrypted and has only the id of the session, if it is about one. */
const readSession = (data) => {
  try {
    const { session } = data.json();
    return typeof session === "string" && /^[A-Za-z0-9_-]{1,80}$/.test(session) ? session : null;
  } catch {
    return null;
  }
};

addEventListener("push", (event) => {
  const session = event.data === null ? null : readSession(event.data);
  event.waitUntil(
    registration.showNotification("gopi-web", {
      body: texts.needed,
      tag: `gopi-web ${session ?? ""}`,
      icon: addressOf("icon-192.png"),
      data: { address: addressOf(session === null ? "overview" : `s/${session}`) },
    }),
  );
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { address } = event.notification.data;
  const show = async () => {
    const tabs = await clients.matchAll({ type: "window" });
    const shown = tabs.find(({ url }) => url.replace(/[?#].*/, "") === address);
    if (shown !== undefined) return shown.focus();
    const [tab] = tabs;
    if (tab === undefined) return clients.openWindow(address);
    await tab.focus();
    return tab.navigate(address);
  };
  event.waitUntil(show());
});
