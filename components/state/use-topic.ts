"use client";
/** Subscriptions of components to topics, for as long as they are mounted. */
import { useEffect } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { PushTopic } from "@/lib/protocol/topics";
import { useClient } from "./client";
import { expireProjectFiles } from "./topic-queries";
import type { TopicListener } from "./topics";

/** Passes what the topic reports about the subject to a memoised listener. */
export function useTopic<T extends PushTopic>(topic: T, subject: string, listener: TopicListener<T>): void {
  const { topics } = useClient();
  useEffect(() => topics.subscribe(topic, subject, listener), [topics, topic, subject, listener]);
}

/** Keeps the queries about a project's files current; null = no project. */
export function useProjectFiles(projectId: ProjectId | null): void {
  const { topics, cache } = useClient();
  useEffect(() => {
    if (projectId === null) return;
    const unsubscribe = topics.subscribe("files", projectId);
    return () => {
      unsubscribe();
      void expireProjectFiles(cache, projectId);
    };
  }, [topics, cache, projectId]);
}
