import { expect, test } from "vitest";
import type { AgentError } from "@/lib/events/error";
import { en } from "./en";
import * as enLate from "./en-late";
import { engineErrorText } from "./engine-error-text";

const messages = { ...en, ...enLate };
const installed = { path: "/p", version: "1", isInstalled: true };

test.each<[AgentError, string]>([
  [
    { code: "disk_full", facts: { missingBytes: 2e9 } },
    "The disk is full: 2\u00a0GB more is needed. Free up some space, then try again.",
  ],
  [{ code: "disk_full" }, "The disk is full."],
  [{ code: "download_failed", facts: { host: "huggingface.co" } }, "The connection to huggingface.co failed."],
  [
    { code: "download_failed", facts: { host: "huggingface.co", status: 0 } },
    "The connection to huggingface.co failed. Check the network",
  ],
  [{ code: "download_failed", facts: { host: "m.example", status: 503 } }, "m.example answered with status 503."],
  [{ code: "tool_missing", detail: "tar" }, "The program tar was not found, which unpacks the archive."],
  [
    { code: "download_failed", facts: { host: "m.example", status: 0, privateHost: "10.0.0.1" } },
    "m.example redirects to 10.0.0.1, an address of a private network.",
  ],
  [{ code: "download_failed", facts: { host: "m.example", hasOtherFile: true } }, "m.example sent another file"],
  [
    { code: "out_of_memory", detail: "SIGKILL", facts: { signal: "SIGKILL" } },
    "The engine was killed, probably because memory ran out. Try again, or choose a smaller window or a smaller model.",
  ],
  [
    { code: "out_of_memory", detail: "SIGKILL", facts: { signal: "SIGKILL", isMemoryKill: true } },
    "The system ended the engine because memory ran out.",
  ],
  [
    { code: "model_missing", facts: { model: "tiny:1b", file: "/m/tiny.gguf" } },
    "The file of tiny:1b isn't there any more: /m/tiny.gguf. Put it back, or choose another model.",
  ],
  [{ code: "too_many" }, "The list of models is full. Remove one, then try again."],
  [{ code: "too_many", facts: { repository: "u/m" } }, "u/m has too many files. Choose another repository."],
  [{ code: "out_of_memory", detail: "failed to allocate" }, "Not enough memory for this model."],
  [{ code: "engine_incompatible", facts: { library: "GLIBC_2.38" } }, "llama.cpp needs GLIBC_2.38"],
  [
    { code: "engine_incompatible", facts: { library: "GLIBC_2.99" } },
    "llama.cpp needs GLIBC_2.99, which this system doesn't have. Install llama.cpp's package of your system",
  ],
  [{ code: "engine_incompatible" }, "The built-in engine doesn't run on this system."],
  [{ code: "engine_incompatible", facts: { program: "/p/llama" } }, "/p/llama doesn't run as llama.cpp's server"],
  [
    { code: "engine_ended", facts: { exit: "exit 1", program: "/p/llama" } },
    "/p/llama doesn't run as llama.cpp's server",
  ],
  [{ code: "engine_ended", facts: { exit: "exit 1" } }, "The built-in engine ended unexpectedly."],
  [{ code: "engine_missing", facts: { program: "/p/llama" } }, "There is no program at /p/llama."],
  [{ code: "engine_missing", facts: { program: "/p", place: "folder" } }, "/p is a folder, not a program."],
  [{ code: "engine_missing", facts: { program: "/p/a.js", place: "file" } }, "The file /p/a.js can't be executed."],
  [{ code: "engine_missing", facts: { program: "/p/llama", place: "nothing" } }, "There is no program at /p/llama."],
  [{ code: "engine_missing" }, "No llama-server was found on this machine."],
  [
    { code: "model_unsupported", facts: { architecture: "qwen9" } },
    "This llama.cpp doesn't support models of the kind qwen9. Update gopi-web, which then offers an update of llama.cpp in the model settings.",
  ],
  [{ code: "bad_input", facts: { variable: "HF_ENDPOINT" } }, "The environment variable HF_ENDPOINT isn't"],
  [{ code: "start_failed", facts: { takenPort: "8080" } }, "Another program took the engine's port. Try again."],
  [
    { code: "graphics_failed", detail: "ErrorDeviceLost" },
    "The graphics card's driver failed. Try again. If it happens again, update the driver.",
  ],
  [{ code: "bad_archive" }, "The downloaded archive is damaged. Try again, or choose another build."],
  [{ code: "model_file_broken" }, "The model file is damaged or isn't a model."],
  [{ code: "wrong_checksum" }, "The downloaded file isn't the expected one and was deleted."],
])("%j is shown with what is known about it", (error, start) => {
  const text = engineErrorText(error, messages, installed);
  expect(text.startsWith(start)).toBe(true);
  // The text names the fault and the next step.
  expect(text.split(/[.;:] /).length).toBeGreaterThan(1);
});

test("a program that has an update, or is of the system, is updated by the user", () => {
  const error: AgentError = { code: "model_unsupported", facts: { architecture: "qwen9" } };
  const update = { tag: "b2", from: "github.example", builds: [] };
  for (const other of [{ isInstalled: false }, { update }])
    expect(engineErrorText(error, messages, { ...installed, ...other })).toContain(" Update llama.cpp, then load");
});
