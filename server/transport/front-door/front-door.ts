/** Declares a front door, which signs people in before their requests reach this server. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { SignIns } from "../auth/sign-in";

/** accepted = the front door let this browser in; elsewhere = the browser goes there first, with this cookie. */
type FrontDoorSignIn =
  | { readonly kind: "accepted" }
  | { readonly kind: "elsewhere"; readonly address: string; readonly cookie: string }
  | { readonly kind: "refused" };

export interface FrontDoor {
  /** Why a request is refused, whatever its path and its cookie; null = it is not. */
  refusal(request: IncomingMessage): string | null;
  /** Decides on a browser that has no sign-in; `page` = the path to return to. */
  signIn(request: IncomingMessage, page: string): FrontDoorSignIn;
  /** Answers a request to an address of the front door's own; false = it is none of them. */
  answer?(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean>;
  /** Whether a browser that is signed in may still connect; absent = it may. */
  admits?(device: string): Promise<boolean>;
  /** Called once, as soon as people can be signed in; the returned function is called when the server ends. */
  begin?(services: FrontDoorServices): () => void;
}

export interface FrontDoorServices {
  readonly signIns: Pick<SignIns, "freshLinkToken">;
  /** The browsers that are signed in. */
  devices(): readonly string[];
  /** Signs a browser out. */
  revoke(device: string): void;
  /** Returns the time at which a person last used this server, ms epoch. */
  lastUsed(): number;
  /** A run, an automation or a command works now. */
  isWorking(): boolean;
}
