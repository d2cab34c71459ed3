/** Messages of the built-in engine in the settings. */
import type { ErrorSentences } from "@/lib/events/error-sentences";
import type { Figures } from "../../figures";

const notRunning = (program: string): string =>
  `${program} doesn't run as llama.cpp's server on this system. Choose another program in the model settings, or install llama.cpp or Ollama.`;

/** Sentences with what is known about an error; `isLatest` = the program cannot be updated, absent = not known. */
const sentences: ErrorSentences<Pick<Figures, "bytes"> & { readonly isLatest?: boolean }> = {
  bad_input: ({ variable }) =>
    variable &&
    `The environment variable ${variable} isn't a plain https address. Correct it and restart gopi-web, or set a mirror of Hugging Face in the model settings.`,
  disk_full: ({ missingBytes }, { bytes }) =>
    missingBytes === undefined
      ? undefined
      : `The disk is full: ${bytes(missingBytes)} more is needed. Free up some space, then try again.`,
  download_failed: ({ host, privateHost, hasOtherFile, status = 0 }) => {
    if (host === undefined) return undefined;
    if (privateHost !== undefined)
      return `${host} redirects to ${privateHost}, an address of a private network. Check the mirror, or name ${privateHost} as the mirror.`;
    if (hasOtherFile)
      return `${host} sent another file than the expected one. Check the mirror, or a proxy that asks for a sign-in; what has arrived is kept.`;
    return status >= 400
      ? `${host} answered with status ${status}. Try again later; what has arrived is kept.`
      : `The connection to ${host} failed. Check the network and try again; what has arrived is kept.`;
  },
  out_of_memory: ({ signal, isMemoryKill }) => {
    if (signal !== "SIGKILL") return undefined;
    return isMemoryKill
      ? "The system ended the engine because memory ran out. Choose a smaller window or a smaller model."
      : "The engine was killed, probably because memory ran out. Try again, or choose a smaller window or a smaller model.";
  },
  model_missing: ({ model, file }) =>
    file && `The file of ${model} isn't there any more: ${file}. Put it back, or choose another model.`,
  engine_missing: ({ program, place }) => {
    if (program === undefined) return undefined;
    if (place === "folder") return `${program} is a folder, not a program. Correct the path in the model settings.`;
    return place === "file"
      ? `The file ${program} can't be executed. Enter the path of llama-server in the model settings.`
      : `There is no program at ${program}. Correct the path in the model settings.`;
  },
  engine_incompatible: ({ library, program }) =>
    library === undefined
      ? program && notRunning(program)
      : `llama.cpp needs ${library}, which this system doesn't have. Install llama.cpp's package of your system, or Ollama.`,
  engine_ended: ({ program }) => program && notRunning(program),
  model_unsupported: ({ architecture }, { isLatest }) => {
    if (!architecture) return undefined;
    const kind = `This llama.cpp doesn't support models of the kind ${architecture}.`;
    if (isLatest === undefined) return kind;
    return `${kind} ${isLatest ? "Update gopi-web, which then offers an update of llama.cpp in the model settings." : "Update llama.cpp, then load the model again."}`;
  },
  too_many: ({ repository }) =>
    repository === undefined
      ? "The list of models is full. Remove one, then try again."
      : `${repository} has too many files. Choose another repository.`,
  tool_missing: "The program tar was not found, which unpacks the archive. Install it, then try again.",
  start_failed: ({ takenPort }) => takenPort && "Another program took the engine's port. Try again.",
};

export const engine = {
  title: "Built-in engine",
  about: "Runs GGUF models on this machine with llama.cpp, started by gopi-web when a model is needed.",
  programName: "llama.cpp",
  runs: (version: string) => `llama.cpp ${version}`,
  missing: "No llama-server was found on this machine.",
  offer: (tag: string, from: string) =>
    `llama.cpp ${tag} can be downloaded from ${from}. Its checksum is verified before it runs.`,
  build: "Build of llama.cpp",
  builds: {
    cpu: "CPU",
    metal: "Metal",
    vulkan: "Graphics card (Vulkan)",
    cuda12: "NVIDIA (CUDA 12)",
    cuda13: "NVIDIA (CUDA 13)",
  },
  fallback: "If it doesn't run on this system, the build for the CPU is downloaded instead.",
  download: (size: string) => `Download (${size})`,
  downloading: (completed: string, size: string) => `Downloading ${completed} of ${size}`,
  retrying: "No connection, trying again",
  silent: (time: string) => `The server isn't sending anything. Trying again in ${time}`,
  unpacking: "Unpacking",
  checking: "Checking that it runs",
  waiting: "Waiting for the current answer to end",
  updateOffer: (tag: string, from: string) =>
    `llama.cpp ${tag} can be downloaded from ${from}. It replaces this version once it has run here; a loaded model is unloaded first.`,
  updateFailed: "The version above is still used.",
  update: (size: string) => `Update (${size})`,
  pause: "Pause",
  progress: "Download of llama.cpp",
  uninstall: "Delete llama.cpp",
  uninstallTitle: "Delete llama.cpp?",
  uninstallNote: "Your models stay. They can be used again once llama.cpp has been downloaded.",
  uninstalled: "llama.cpp was deleted. Your models are still there.",
  guide: "Installation guide",
  again: "Check again",
  models: "Models of the built-in engine",
  none: "No models yet. Download one, or add a GGUF file from this machine.",
  stopped: "Not in memory",
  loading: "Loading",
  loaded: (window: string, place: string) => `In memory, window ${window}${place === "" ? "" : `, ${place}`}`,
  onCards: (cards: string) => `on ${cards}`,
  partlyOnCards: (onCards: number, all: number, cards: string) => `${onCards} of ${all} layers on ${cards}`,
  useWindow: (window: string) => `Use a window of ${window}`,
  /** Errors of the engine with what is known about them; the others have the general sentence of their code. */
  problems: {
    sentences,
    unreachable: (host: string) => `The connection to ${host} failed. Check the network and try again.`,
    unavailable: (host: string, status: number) => `${host} answered with status ${status}. Try again later.`,
  },
  load: "Load",
  loadOne: (name: string) => `Load ${name}`,
  unload: "Unload",
  remove: (name: string) => `Remove ${name} from the list`,
  removeTitle: (name: string) => `Remove ${name} from the list?`,
  removeNote: "Its file stays where it is.",
  removeYes: "Remove",
  removed: (name: string) => `${name} was removed from the list. Its file is still there.`,
  foundTitle: "Already on this machine",
  from: { ollama: "downloaded by Ollama", lmstudio: "downloaded by LM Studio" },
  use: "Use",
  useOne: (name: string) => `Use ${name}`,
  addTitle: "Any other model",
  addExample: "hf:user/repository:Q4_K_M",
  addLabel: "Hugging Face name, or path of a GGUF file on the machine that runs gopi-web",
  add: "Add",
  added: (name: string) => `${name} is ready. Choose it in the model menu.`,
  exists: "A model with this name is already in the list.",
  noFile: "There is no file at this path.",
  notAbsolute: "Enter the whole path, from the root folder.",
  noReference: "Enter a name such as hf:user/repository:Q4_K_M, or the whole path of a file.",
  noRepository: (hub: string) => `${hub} has no public repository with this name.`,
  noQuantization: (available: string) => `The repository has no such file. It has: ${available}.`,
  noGguf: "The repository has no GGUF files. Look for one with GGUF in its name.",
  noAccess: (hub: string) =>
    `This repository needs an account at ${hub}. Download the file there, then add it by its path.`,
  suggested: "Models to download",
  machine: (ram: string, graphics: string | null) =>
    graphics === null
      ? `This machine has ${ram} of memory.`
      : `This machine has ${ram} of memory, the graphics card ${graphics}.`,
  comeFrom: (hub: string) => `Downloads come from ${hub}.`,
  needs: (size: string) => `needs ${size} of memory`,
  needsAtLeast: (size: string) => `needs at least ${size} of memory; whether it fits isn't certain yet`,
  fits: { fits: "fits", slow: "slow, partly or wholly on the CPU", too_large: "doesn't fit" },
  isHere: "On this machine",
  get: "Download",
  getOne: (name: string) => `Download ${name}`,
  tooLargeTitle: (name: string) => `Download ${name}, which doesn't fit?`,
  tooLargeNote: "It probably can't be loaded here.",
  tooLargeYes: "Download anyway",
  downloads: "Downloads",
  verifying: "Verifying the checksum",
  paused: (completed: string, size: string) => `Paused at ${completed} of ${size}`,
  failedAt: (completed: string, size: string) => `Stopped at ${completed} of ${size}`,
  brokenOnServer:
    "The file on the server is damaged or isn't a model: it has arrived as it is there. Delete it, then choose another one.",
  deleteFile: "Delete file",
  resume: "Resume",
  tryAgain: "Try again",
  useMirror: "Use a mirror",
  giveUp: "Cancel",
  /** Name of a button for screen readers: "Pause: llama.cpp". */
  actionOn: (action: string, name: string) => `${action}: ${name}`,
  modelProgress: (name: string) => `Download of ${name}`,
  deleteOne: (name: string) => `Delete ${name}`,
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteFrees: (size: string) => `This frees ${size} on the disk. The model can be downloaded again.`,
  deleteYes: "Delete model",
  /** Warning before a deletion that unloads the model. */
  endsAnswer: (name: string) => `${name} is in memory and will be unloaded. If it is answering, the answer ends there.`,
  deleted: (name: string) => `${name} was deleted.`,
  hereTitle: "Run a model here",
  hereModel: "Model",
  hereKinds: { quick: "Start quickly", best: "Best that fits" },
  /** A duration or a speed that is estimated. */
  hereAbout: (figure: string) => `about ${figure}`,
  hereMinutesAt: (time: string, rate: string) => `about ${time} at ${rate}`,
  hereMeasured: (speed: string) => `${speed} measured here`,
  herePlan: (name: string, size: string, hub: string) => `Downloads ${name} (${size}) from ${hub}.`,
  herePlanWithEngine: (engineSize: string, from: string, name: string, size: string, hub: string) =>
    `Downloads llama.cpp (${engineSize}) from ${from} and ${name} (${size}) from ${hub}.`,
  hereBothFrom: (engineSize: string, name: string, size: string, host: string) =>
    `Downloads llama.cpp (${engineSize}) and ${name} (${size}) from ${host}.`,
  hereAlready: (size: string, from: string) => `Already on this machine (${size}), ${from}.`,
  hereEngine: (size: string, host: string) => `Downloads only llama.cpp (${size}) from ${host}.`,
  hereNeeds: (need: string, ram: string) => `Needs ${need} of memory; this machine has ${ram}.`,
  hereNoneFits: (ram: string) =>
    `None of the suggested models fits into this machine's ${ram} of memory. You can add a smaller one by its name or file.`,
  licensed: (license: string) => `License: ${license}.`,
  hereStart: "Download and run",
  hereMore: "More models",
  /** The settings that name the program and the servers of downloads. */
  sources: {
    title: "Program and downloads of the engine",
    /** Sentences about the path of the program, by the fact of the error. */
    programPlaces: {
      nothing: "There is no program at this path. Correct it in the settings below.",
      folder: "This path is a folder, not a program. Correct it in the settings below.",
      file: "This file can't be executed. Enter the path of llama-server in the settings below.",
    },
  },
};
