import { expect, test } from "vitest";
import { asId } from "../events/id";
import { toCallRequest } from "./call-request";

test("posts an imported file unchanged after its command", () => {
  const text = '{"type":"header"}\n{"a":"\\"b"}\n';
  const { path, type, body } = toCallRequest("session.import", {
    projectId: asId("p1"),
    commandId: asId("c1"),
    name: "a",
    text,
  });
  expect([path, type]).toEqual(["/api/import", "application/x-ndjson"]);
  expect(body).toBe(`{"projectId":"p1","commandId":"c1","name":"a"}\n${text}`);
});

test("posts any other call as JSON", () => {
  const { path, type, body } = toCallRequest("session.send", { text: "x" });
  expect([path, type, JSON.parse(body)]).toEqual([
    "/api/call",
    "application/json",
    { name: "session.send", input: { text: "x" } },
  ]);
});
