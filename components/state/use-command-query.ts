"use client";
/**
 * Queries by commands in components. Every screen that imports this also gets the client, so that both are in one file of the build:
 * two are larger on the first screen.
 */
import { useClient } from "./client";
import { type SkipToken, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import { commandQuery, type CommandQueryOptions } from "./command-query";

/** The answer of a command as a query of the client. */
export const useCommandQuery = <N extends CommandName, T = CommandOutput<N>>(
  name: N,
  input: CommandInput<N> | SkipToken,
  options?: CommandQueryOptions<N, T>,
): UseQueryResult<T> => useQuery(commandQuery<N, T>(name, input, options), useClient().cache);

/** Whether a query has its first answer or error. */
export const isAnswered = ({ isPending, failureCount }: Pick<UseQueryResult, "isPending" | "failureCount">): boolean =>
  !isPending || failureCount > 0;
