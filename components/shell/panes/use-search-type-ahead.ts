"use client";
/** Captures what is typed between the request to search and the first time the search pane is drawn. */
import { useEffect } from "react";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { startTypeAhead } from "../../ui/browser/type-ahead";
import { useMessages } from "../../messages/messages";

/** A pane that is already drawn clears the request in its own effect, which runs before this one. */
export function useSearchTypeAhead(): void {
  const { workbench, handles } = useClient();
  const { shell } = useMessages();
  const request = useStore(workbench, (state) => state.searchRequest);
  useEffect(() => {
    if (request === null || workbench.get().searchRequest === null) return;
    const typeAhead = startTypeAhead(shell.search);
    handles.typeAhead = typeAhead;
    return () => {
      typeAhead.take();
      if (handles.typeAhead === typeAhead) delete handles.typeAhead;
    };
  }, [request, workbench, handles, shell]);
}
