/** Tokens that a model server reads again after the server was killed in mid-answer. */
import { heldPromptTokens, startHoldingServer } from "@/lib/testing/test-holding-server";
import { type Bench, pollFor } from "../bench";
import type { BenchRow } from "../bench-row";
import { freshBenchCommandId, startProduct } from "../server/bench-product";

const limitMs = 60_000;

export async function heldAnswers(bench: Bench): Promise<readonly BenchRow[]> {
  const [tokens, tokensWithout] = [await tokensReadAgain(bench, true), await tokensReadAgain(bench, false)];
  return [
    {
      id: "held-answer",
      what: "tokens read again for an answer during which the server was killed, by the model server's count",
      measured: `${tokens} tokens`,
      yardstick: `a model server that holds no answers ${tokensWithout} tokens`,
      budget: "0 tokens",
      met: tokens === 0,
      figures: { tokens, tokensWithout },
    },
  ];
}

async function tokensReadAgain(bench: Bench, holds: boolean): Promise<number> {
  const model = await startHoldingServer({ holds });
  const place = { home: bench.folder("home"), project: bench.folder("project"), modelUrl: "http://127.0.0.1:1" };
  const killed = await startProduct(bench, place);
  const { id } = await killed.call("connections.save", {
    name: "Held",
    preset: "llamacpp",
    baseUrl: model.baseUrl,
    model: "held-model",
    numCtx: 0,
  });
  const { projects } = await killed.call("project.list", {});
  const commandId = freshBenchCommandId();
  const wanted = { projectId: projects[0]?.id, commandId, model: "held-model", connection: id };
  const { row } = await killed.call("session.create", wanted);
  const message = { sessionId: row.id, commandId: freshBenchCommandId(), text: "Go.", intent: "prompt" };
  await killed.call("session.send", message);
  await model.waitFor(() => model.reads === 1);
  model.write("The first half, ");
  killed.child.kill("SIGKILL");
  await killed.end();
  const product = await startProduct(bench, place);
  try {
    if (!holds) {
      await product.call("session.resume", { sessionId: row.id, commandId: freshBenchCommandId() });
      await model.waitFor(() => model.reads === 2);
    }
    model.write("and the second.");
    model.finish();
    await pollFor("the end of the answer", limitMs, async () => {
      const { snapshot } = await product.call("session.open", { sessionId: row.id });
      return snapshot.run === null || undefined;
    });
    return (model.reads - 1) * heldPromptTokens;
  } finally {
    await product.end();
    await model.close();
  }
}
