// Converts the page in workerData with the libraries alone, and posts the Markdown.
import { parentPort, workerData } from "node:worker_threads";
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom/worker";
import TurndownService from "turndown";

function toElement(node) {
  const { document } = parseHTML("<!doctype html><body></body>");
  document.body.append(node);
  return document.body;
}

const { document } = parseHTML(new TextDecoder().decode(workerData.bytes));
const { content } = new Readability(document, { serializer: toElement }).parse();
const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
parentPort.postMessage({ text: turndown.turndown(content) });
