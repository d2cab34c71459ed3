"use client";
/** The dialog with the share links of the open session, or of all of them. */
import { ShareDialog } from "../../share/share-dialog";
import { navigate } from "../navigation/router";
import type { OverlayContext } from "./overlay-registry";

export const ShareOverlay = ({ place, close }: Pick<OverlayContext, "place" | "close">) => (
  <ShareDialog
    sessionId={place.session.view?.sessionId ?? null}
    onShow={(id) => {
      close();
      navigate(`/s/${id}`);
    }}
    onClose={close}
  />
);
