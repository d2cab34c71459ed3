/**
 * A minimal page as the reference for typing and streaming: a text field, and in each frame the text received since
 * the previous one.
 */
import { createServer, request as httpRequest } from "node:http";

interface BarePage {
  readonly url: string;
  close(): void;
}

// The attributes are those by which the bench finds the product's own composer.
const pageHtml = `<!doctype html><div data-composer data-state="idle"><textarea></textarea></div><main></main><script>
const field = document.querySelector("textarea"), main = document.querySelector("main");
field.addEventListener("keydown", async (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  field.value = "";
  const answer = await fetch("/chat", { method: "POST" });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "", text = "", asked = false;
  const show = () => { asked = false; main.append(text); text = ""; };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\\n");
    rest = lines.pop();
    for (const line of lines) text += JSON.parse(line).message.content;
    if (!asked) { asked = true; requestAnimationFrame(show); }
  }
});
</script>`;

const chatRequestBody = JSON.stringify({ model: "scripted:latest", messages: [{ role: "user", content: "Go on" }] });

/** Serves the page on a free port and forwards its requests to the model server. */
export function serveBarePage(modelUrl: string): Promise<BarePage> {
  const server = createServer((request, response) => {
    if (request.url !== "/chat") return void response.writeHead(200, { "content-type": "text/html" }).end(pageHtml);
    httpRequest(`${modelUrl}/api/chat`, { method: "POST" }, (answer) => {
      response.writeHead(200);
      answer.pipe(response);
    }).end(chatRequestBody);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      resolve({
        url: `http://127.0.0.1:${port}/`,
        close() {
          server.closeAllConnections();
          server.close();
        },
      });
    });
  });
}
