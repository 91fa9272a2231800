import type { PluginEntry, Route } from '@cordon/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useUpdateRoute } from '../data/use-update-route';

/** What the last switch was answered with, once it is, by id; undefined where it failed. */
type Answers = Map<string, Promise<Route | undefined>>;
const known = new WeakMap<QueryClient, Answers>();

function answersOf(client: QueryClient): Answers {
  const answers: Answers = known.get(client) ?? new Map();
  known.set(client, answers);
  return answers;
}

/**
 * Saves a plugin's entry in the draft. Switches of several plugins pressed in quick succession are saved one after the
 * other, each upon what the one before was answered with: none is another user's change to the next. `saving` is the entry
 * that is on its way.
 */
export function useSwitchDraft(route: Route) {
  const [saving, setSaving] = useState<PluginEntry>();
  const { mutateAsync } = useUpdateRoute(route.id);
  const answered = answersOf(useQueryClient());

  async function save(entry: PluginEntry): Promise<Route> {
    const before = answered.get(route.id);
    const saved = (async () => {
      const answer = await before;
      const upon = answer && answer.draft_revision > route.draft_revision ? answer : route;
      return mutateAsync({ upon, body: { plugins: [entry] } });
    })();
    answered.set(
      route.id,
      saved.catch(() => undefined),
    );
    setSaving(entry);
    try {
      return await saved;
    } finally {
      setSaving(undefined);
    }
  }
  return { save, saving };
}
