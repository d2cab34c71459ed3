import { describe, expect, it } from "vitest";
import type { ModelInfo } from "@/lib/models/models";
import { canChat } from "@/lib/models/can-chat";
import { chooseModel, findModel } from "./choose-model";

const model = (name: string, more: Partial<ModelInfo> = {}): ModelInfo => ({
  name,
  capabilities: ["completion"],
  cloud: false,
  ...more,
});
const embedding = model("nomic-embed-text:latest", { capabilities: ["embedding"] });
const cloud = model("gpt-oss:120b-cloud", { cloud: true });

describe("the model of a new session", () => {
  it.each([
    ["the chosen one", ["llama3.2:3b", "qwen3:8b", "mistral:7b"], "mistral:7b", "mistral:7b"],
    ["the chosen one without its tag", ["qwen3:8b", "mistral:latest"], "mistral", "mistral:latest"],
    ["the first preferred one", ["llama3.2:3b", "qwen3:8b", "qwen2.5-coder:7b"], "", "qwen2.5-coder:7b"],
    ["the second preferred one", ["llama3.2:3b", "qwen3:8b"], "", "qwen3:8b"],
    ["not another size of a preferred one", ["llama3.2:3b", "qwen3:4b"], "", "llama3.2:3b"],
    ["what is there when the chosen one is gone", ["llama3.2:3b"], "mistral", "llama3.2:3b"],
    ["undefined", [], "mistral", undefined],
  ])("is %s", (_name, installed, chosen, expected) => {
    expect(
      chooseModel(
        installed.map((name) => model(name)),
        chosen,
      )?.name,
    ).toBe(expected);
  });

  it("is never a pure embedding model, and a cloud model only if chosen", () => {
    expect(chooseModel([embedding, cloud], "")).toBeUndefined();
    expect(chooseModel([embedding, cloud, model("a:1b")], "")?.name).toBe("a:1b");
    expect(chooseModel([cloud, model("a:1b")], cloud.name)?.name).toBe(cloud.name);
  });

  it("may be one whose server lists no capabilities, unless its name contains embedding", () => {
    expect(canChat(model("phi3:mini", { capabilities: [] }))).toBe(true);
    expect(canChat(model("mxbai-embed-large:latest", { capabilities: [] }))).toBe(false);
    expect(canChat(model("all-minilm:22m", { capabilities: [] }))).toBe(false);
  });

  it("is found under a registry's address, too", () => {
    const models = [model("hf.co/some/Model-GGUF:latest"), model("localhost:5000/own/m:latest")];
    expect(findModel(models, "hf.co/some/Model-GGUF")?.name).toBe("hf.co/some/Model-GGUF:latest");
    expect(findModel(models, "localhost:5000/own/m")?.name).toBe("localhost:5000/own/m:latest");
    expect(findModel(models, "")).toBeUndefined();
  });
});
