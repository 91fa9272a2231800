import type { PluginEntry, Route } from '@cordon/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useUpdateRoute } from '../data/queries';

/** By route, the revision that the last switch was answered with, once it is. */
const known = new WeakMap<QueryClient, Map<string, Promise<number>>>();

function answersOf(client: QueryClient): Map<string, Promise<number>> {
  const answers = known.get(client) ?? new Map<string, Promise<number>>();
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
      const revision = Math.max(route.draft_revision, (await before) ?? 0);
      return mutateAsync({ revision, body: { plugins: [entry] } });
    })();
    answered.set(
      route.id,
      saved.then(
        (next) => next.draft_revision,
        () => 0,
      ),
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
