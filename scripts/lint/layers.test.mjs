import { RuleTester } from "eslint";
import typescript from "typescript-eslint";
import { describe, expect, it } from "vitest";
import { root } from "../base/root.mjs";
import { importProblem, layers, layerOf } from "./layers.mjs";

RuleTester.describe = describe;
RuleTester.it = it;
const tester = new RuleTester({ languageOptions: { parser: typescript.parser } });

function problem(path, source, isType = false) {
  return importProblem({ source, filename: `${root}/${path}`, root, isType });
}

describe("layers of paths", () => {
  it.each([
    ["lib/text/diff", "lib"],
    ["server/main.ts", "server"],
    ["server/tools/shell/bash.ts", "server/tools"],
    ["server/tools/mcp/client.ts", "server/tools"],
    ["server/features/memory/index.ts", "server/features/memory"],
    ["server/features/feature-list.ts", "server/features"],
    ["components/chat/blocks/text.tsx", "components/chat"],
    ["app/share/page.tsx", "app"],
    ["scripts/start.mjs", null],
    ["node_modules/lib/x.js", null],
    ["../elsewhere/lib/x", null],
  ])("%s is in %s", (path, layer) => {
    expect(layerOf(path)).toBe(layer);
  });
});

describe("what the table allows", () => {
  it.each([
    ["lib/events/event.ts", "./content"],
    ["lib/events/event.ts", "zod/mini"],
    ["server/tools/shell/bash.ts", "@/server/workspace/shell"],
    ["server/tools/shell/bash.ts", "../workspace/shell"],
    ["server/main.ts", "./transport/http"],
    ["server/main.ts", "@/server/features/memory/start"],
    ["server/features/feature-list.ts", "./memory/memory-feature"],
    ["server/transport/socket/socket.ts", "socket.io"],
    ["components/state/connection/server-connection.ts", "socket.io-client"],
    ["components/chat/message.tsx", "../ui/button"],
    ["components/chat/message.tsx", "../messages/en"],
    ["components/shell/frame/workbench.tsx", "../chat/conversation"],
    ["app/layout.tsx", "next"],
    ["e2e/chat.spec.ts", "@/lib/event"],
    ["e2e/chat.spec.ts", "node:fs"],
    ["server/agent/loop/loop.test.ts", "@/server/store/events"],
    ["components/ui/text/text.test.ts", "@/lib/testing/test-cpu"],
    ["server/session/testing/test-services.ts", "@/server/compose-services"],
    ["server/session/core/session.test.ts", "../testing/test-services"],
    ["server/providers/provider.contract.ts", "vitest"],
    ["lib/view/fold.test.ts", "fast-check"],
    ["scripts/start.mjs", "node:path"],
  ])("%s imports %s", (path, source) => {
    expect(problem(path, source)).toBeNull();
  });

  it("lets only tests import test files", () => {
    expect(problem("server/session/core/session.ts", "../testing/test-services")).toContain("only a test file");
    expect(problem("server/compose.ts", "./session/testing/test-harness", true)).toContain("only a test file");
    expect(problem("server/store/open-store.ts", "./__fixtures__/home")).toContain("only a test file");
  });

  it("lets tools and the ui import types where values are not allowed", () => {
    expect(problem("server/tools/bash.ts", "../security/paths/safe-path", true)).toBeNull();
    expect(problem("server/tools/bash.ts", "../security/paths/safe-path")).toContain('"import type"');
    expect(problem("components/ui/card.tsx", "@/lib/tool-kind", true)).toBeNull();
    expect(problem("components/ui/card.tsx", "@/lib/tool-kind")).toContain("types");
    expect(problem("server/session/share.ts", "../security/redaction/redact")).toBeNull();
    expect(problem("server/session/share.ts", "../security/paths/safe-path")).toContain("types");
  });
});

describe("what the table forbids", () => {
  it.each([
    ["lib/events/event.ts", "@/server/base/id"],
    ["lib/events/event.ts", "node:fs"],
    ["lib/events/event.ts", "fs"],
    ["lib/events/event.ts", "zod"],
    ["lib/events/event.ts", "react"],
    ["server/agent/loop.ts", "../session/log"],
    ["server/agent/loop.ts", "@/server/store/events"],
    ["server/store/events.ts", "../workspace/files"],
    ["server/features/memory/start.ts", "../skills/start"],
    ["server/features/memory/start.ts", "../feature-list"],
    ["server/handlers/share.ts", "../features/memory/start"],
    ["server/tools/bash.ts", "../main"],
    ["server/handlers/x.ts", "../transport/socket"],
    ["server/handlers/x.ts", "socket.io"],
    ["server/session/x.ts", "@/components/state/connection"],
    ["server/transport/x.ts", "next"],
    ["components/chat/x.tsx", "../files/tree"],
    ["components/chat/x.tsx", "@/components/files/tree"],
    ["components/chat/x.tsx", "socket.io-client"],
    ["components/chat/x.tsx", "node:path"],
    ["components/actions/x.ts", "../chat/composer"],
    ["components/state/x.ts", "../ui/button"],
    ["components/shell/x.tsx", "@/server/base/id"],
    ["app/page.tsx", "@/server/main"],
    ["e2e/x.spec.ts", "@/server/main"],
    ["e2e/product/security/x.test.ts", "@/server/main"],
    ["e2e/x.spec.ts", "@/components/ui/button"],
    ["lib/view/fold.test.ts", "@/server/store/events"],
  ])("%s does not import %s", (path, source) => {
    expect(problem(path, source)).toEqual(expect.any(String));
  });
});

const filename = `${root}/server/tools/bash.ts`;
tester.run("gopi/layers", layers, {
  valid: [
    { filename, code: 'import type { SafePath } from "../security/paths/safe-path";' },
    { filename, code: 'import { type SafePath } from "../security/paths/safe-path";' },
    { filename, code: 'export type { SafePath } from "../security/paths/safe-path";' },
    { filename, code: 'type Path = import("../security/paths/safe-path").SafePath;' },
    { filename, code: "await import(name);" },
    { filename, code: "export { x }; const x = 1;" },
  ],
  invalid: [
    'import { decide } from "../security/decide";',
    'import "../security/decide";',
    'import { type A, decide } from "../security/decide";',
    'export { decide } from "../security/decide";',
    'export * from "../security/decide";',
    'await import("../security/decide");',
    'type Log = import("../session/log").Log;',
  ].map((code) => ({ filename, code, errors: [{ messageId: "wrong" }] })),
});
