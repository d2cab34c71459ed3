/** Start logs as versions of llama.cpp's server print them, shortened. */
import { expect, test } from "vitest";
import { deviceLogArguments, findEngineDevice, isDeviceLine } from "./engine-device";

const cpu = `
0.00.003.583 I cmn  common_param: device_info:
0.00.003.589 I cmn  common_param:   - CPU     : AMD EPYC (24105 MiB, 24105 MiB free)
0.00.004.266 I cmn  common_init_: fitting params to device memory ...
0.00.008.439 I load_tensors: loading model tensors, this can take a while... (load_mode = mmap)
0.00.008.618 I load_tensors:   CPU_Mapped model buffer size =     0.62 MiB
0.00.008.990 I llama_kv_cache:        CPU KV buffer size =     1.00 MiB`;
const vulkan = `
0.00.617.294 I common_fit_params: successfully fit params to free device memory
0.00.734.553 I llama_prepare_model_devices: using device Vulkan0 (NVIDIA GeForce RTX 3080 Ti) (0000:01:00.0) - 11312 MiB free
0.13.993.894 I load_tensors: offloading 31 repeating layers to GPU
0.13.993.894 I load_tensors: offloaded 33/33 layers to GPU
0.13.993.897 I load_tensors:   CPU_Mapped model buffer size =   545.62 MiB
0.13.993.897 I load_tensors:      Vulkan0 model buffer size =  5133.63 MiB
0.16.760.818 I llama_context: Vulkan_Host  output buffer size =     0.95 MiB`;
const vulkanAmd = `
llama_prepare_model_devices: using device Vulkan0 (AMD Radeon RX 7900 XTX (RADV NAVI31)) (0000:10:00.0)
load_tensors: offloaded 65/65 layers to GPU
load_tensors:      Vulkan0 model buffer size = 16386.94 MiB`;
const metal = `
llama_prepare_model_devices: using device MTL0 (Apple M4) (unknown id) - 10922 MiB free
load_tensors: offloaded 37/37 layers to GPU
load_tensors:          CPU model buffer size =     0.00 MiB
load_tensors:  MTL0_Mapped model buffer size =  4403.49 MiB`;
const oldMetal = `
0.00.015.468 I llama_model_load_from_file_impl: using device Metal (Apple M4) - 10922 MiB free
load_tensors: offloaded 29/29 layers to GPU
load_tensors: Metal_Mapped model buffer size =  1918.35 MiB`;
const partial = `
llama_prepare_model_devices: using device CUDA0 (NVIDIA GeForce RTX 3060) (0000:01:00.0) - 5221 MiB free
load_tensors: offloaded 18/33 layers to GPU
load_tensors:   CPU_Mapped model buffer size =  2600.10 MiB
load_tensors:        CUDA0 model buffer size =  2100.55 MiB`;
const two = `
llama_prepare_model_devices: using device CUDA0 (NVIDIA GeForce RTX 4090) (0000:01:00.0) - 23000 MiB free
llama_prepare_model_devices: using device CUDA1 (NVIDIA GeForce RTX 3060) (0000:02:00.0) - 11000 MiB free
load_tensors: offloaded 66/66 layers to GPU
load_tensors:        CUDA0 model buffer size = 16386.94 MiB
load_tensors:        CUDA1 model buffer size =  6386.94 MiB
load_tensors:   CPU_Mapped model buffer size =   682.03 MiB`;
const unused = `
llama_prepare_model_devices: using device Vulkan0 (Intel(R) UHD Graphics 770) (0000:00:02.0) - 900 MiB free
load_tensors: offloaded 0/33 layers to GPU
load_tensors:   CPU_Mapped model buffer size =  5600.00 MiB`;
const experts = `
common_params_fit_impl:   - CUDA0 (NVIDIA GeForce RTX 4070): 49 layers (30 overflowing), 10900 MiB used, 1100 MiB free
common_params_fit_impl:   - CUDA0 (NVIDIA GeForce RTX 4070): 49 layers ( 7 overflowing), 11000 MiB used, 1030 MiB free
llama_prepare_model_devices: using device CUDA0 (NVIDIA GeForce RTX 4070) (0000:01:00.0) - 11900 MiB free
load_tensors: offloaded 49/49 layers to GPU
load_tensors:          CPU model buffer size = 10400.00 MiB
load_tensors:        CUDA0 model buffer size =  9800.00 MiB`;

const all = (count: number) => ({ onCards: count, all: count });

test.each([
  ["the CPU", cpu, { cards: [] }],
  ["a card with Vulkan", vulkan, { cards: ["NVIDIA GeForce RTX 3080 Ti"], layers: all(33) }],
  ["a card whose name has brackets", vulkanAmd, { cards: ["AMD Radeon RX 7900 XTX (RADV NAVI31)"], layers: all(65) }],
  ["Metal", metal, { cards: ["Apple M4"], layers: all(37) }],
  ["Metal of an older version", oldMetal, { cards: ["Apple M4"], layers: all(29) }],
  ["a part of the layers", partial, { cards: ["NVIDIA GeForce RTX 3060"], layers: { onCards: 18, all: 33 } }],
  ["two cards", two, { cards: ["NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 3060"], layers: all(66) }],
  ["a card that holds nothing", unused, { cards: [] }],
  ["experts on the CPU", experts, { cards: ["NVIDIA GeForce RTX 4070"], layers: { onCards: 42, all: 49 } }],
  ["a log without the lines", "llama_server: model loaded\nlistening on http://127.0.0.1:1", null],
])("%s: the device is read from the log", (_name, log, device) => {
  const lines = log.split("\n").filter(isDeviceLine);
  expect(findEngineDevice(lines)).toEqual(device);
});

test.each([
  ["0.7.0 (build 11669, commit Debian)", ["--verbosity", "4"]],
  ["9849 (799fcc04a)", ["--verbosity", "4"]],
  ["6700 (abc)", []],
  ["custom", []],
  [undefined, []],
])("version %s gets the options %j", (version, expected) => expect(deviceLogArguments(version)).toEqual(expected));
