import { expect, test } from "vitest";
import type { EngineInstallStep, EngineRunState, ModelDownload } from "@/lib/models/engine";
import { en } from "../../../messages/en";
import * as enLate from "../../../messages/en-late";
import { zhCN } from "../../../messages/zh-CN";
import * as zhCNLate from "../../../messages/zh-CN-late";
import { downloadText, engineRunText } from "./engine-texts";

const messages = { ...en, ...enLate };
const ready = (device?: EngineRunState["device"]): EngineRunState => ({
  status: "ready",
  model: "m",
  window: 16_384,
  device,
});

test.each<[EngineRunState, string]>([
  [{ status: "stopped" }, "Not in memory"],
  [{ status: "loading", model: "m", window: 16_384 }, "Loading"],
  [ready(), "In memory, window 16k"],
  [ready({ cards: [] }), "In memory, window 16k, on the CPU"],
  [ready({ cards: ["Apple M4"], layers: { onCards: 37, all: 37 } }), "In memory, window 16k, on Apple M4"],
  [
    ready({ cards: ["RTX 3060"], layers: { onCards: 18, all: 33 } }),
    "In memory, window 16k, 18 of 33 layers on RTX 3060",
  ],
  [
    ready({ cards: ["RTX 4090", "RTX 3060"], layers: { onCards: 66, all: 66 } }),
    "In memory, window 16k, on RTX 4090 and RTX 3060",
  ],
])("the process %j is shown as %s", (run, text) => expect(engineRunText(run, messages)).toBe(text));

const model = { reference: "hf:u/m", name: "m", completed: 3e9, bytes: 5e9 };
const program = { build: "cpu", completed: 3e6, bytes: 5e6 } as const;
const rate = { bytesPerSecond: 12_500_000, secondsLeft: 160 };

test.each<[ModelDownload | EngineInstallStep, string, string]>([
  [{ ...model, status: "downloading" }, "Downloading 3 GB of 5 GB", "正在下载 3 GB / 5 GB"],
  [
    { ...model, ...rate, status: "downloading" },
    "Downloading 3 GB of 5 GB · 13 MB/s · 2 min 40 s left",
    "正在下载 3 GB / 5 GB · 13 MB/秒 · 还需 2 分钟 40 秒",
  ],
  [{ ...model, status: "retrying" }, "No connection, trying again", "没有连接，正在重试"],
  [{ ...program, status: "retrying" }, "No connection, trying again", "没有连接，正在重试"],
  [
    { ...model, status: "silent", retrySeconds: 47 },
    "The server isn't sending anything. Trying again in 47 s",
    "服务器没有发送数据，47 秒后重试",
  ],
  [{ ...model, status: "checking" }, "Verifying the checksum", "正在校验文件"],
  [{ ...model, status: "paused" }, "Paused at 3 GB of 5 GB", "已暂停，3 GB / 5 GB"],
  [{ ...model, status: "failed" }, "Stopped at 3 GB of 5 GB", "已停止，3 GB / 5 GB"],
  [{ ...model, status: "failed", completed: 5e9, error: { code: "model_file_broken" } }, "5 GB", "5 GB"],
  [
    { ...program, status: "downloading", bytesPerSecond: 900_000, secondsLeft: 3 },
    "Downloading 3 MB of 5 MB · 900 kB/s · 3 s left",
    "正在下载 3 MB / 5 MB · 900 kB/秒 · 还需 3 秒",
  ],
  [{ ...program, status: "unpacking" }, "Unpacking", "正在解压"],
  [{ ...program, status: "waiting" }, "Waiting for the current answer to end", "正在等待当前回答结束"],
  [{ ...program, status: "checking" }, "Checking that it runs", "正在检查能否运行"],
])("the download %j is shown with its progress", (download, english, chinese) => {
  const shown = [messages, { ...zhCN, ...zhCNLate }].map((all) =>
    downloadText(download, all).replaceAll("\u00a0", " "),
  );
  expect(shown).toEqual([english, chinese]);
});
