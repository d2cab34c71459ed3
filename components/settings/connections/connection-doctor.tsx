"use client";
/** The long test of a connection's model, the same as for Ollama's. Its last report comes with the server's list of models. */
import { useQuery } from "@tanstack/react-query";
import type { Connection } from "@/lib/models";
import { useClient } from "../../state/client";
import { queries } from "../../state/queries";
import { DoctorPanel } from "../models/doctor-panel";

export interface ConnectionDoctorProps {
  readonly connection: Connection;
  /** False while the form has changes that are not saved. */
  readonly canTest: boolean;
  readonly onWindow: (tokens: number) => void;
}

export function ConnectionDoctor({ connection, canTest, onWindow }: ConnectionDoctorProps) {
  const { call } = useClient();
  const listed = useQuery(queries.connectionModels(call, connection.id)).data;
  const model = listed?.find((one) => one.name === connection.model);
  return (
    <DoctorPanel
      model={{ ...(model ?? { name: connection.model, capabilities: [] }), cloud: !connection.local }}
      connection={connection.id}
      loaded={undefined}
      plan={undefined}
      canTest={canTest}
      onWindow={onWindow}
    />
  );
}
