/** State that arrives with the welcome and is replaced by pushes and by the answers of commands; never fetched. */
import type { Welcome } from "@/lib/protocol/answers";
import type { DoctorRun } from "@/lib/models/models";
import { createStore, type ReadableStore } from "./store";

/** Members of the welcome are absent until it arrives. */
export interface ServerState extends Partial<Welcome> {
  /** The running model test, or the last one in this tab; null = none. */
  readonly doctor: DoctorRun | null;
}

export interface ServerStateStore extends ReadableStore<ServerState> {
  /** Replaces these members. */
  readonly merge: (members: Partial<ServerState>) => void;
}

export function createServerState(): ServerStateStore {
  const store = createStore<ServerState>({ doctor: null });
  return { ...store, merge: (members) => store.update((state) => ({ ...state, ...members })) };
}

/** Takes over the welcome. The end of a model test may have been missed; a running one sends pushes. */
export function mergeWelcome(serverState: ServerStateStore, welcome: Welcome): void {
  const { doctor } = serverState.get();
  serverState.merge({ ...welcome, doctor: doctor !== null && hasDoctorRunEnded(doctor) ? doctor : null });
}

export const hasDoctorRunEnded = (run: DoctorRun): boolean => run.report !== undefined || run.cancelled === true;
