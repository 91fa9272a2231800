import { isSame, type PluginEntry, type Route, type RouteConfig } from '@cordon/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readNewestRoute, routeOptions } from '../data/queries';
import { isStale, useSaves } from '../data/use-saves';
import { useUpdateRoute } from '../data/use-update-route';

/** What the last switch was answered with, once it is, by id; undefined where it failed. */
type Answers = Map<string, Promise<Route | undefined>>;
const known = new WeakMap<QueryClient, Answers>();

function answersOf(client: QueryClient): Answers {
  const answers: Answers = known.get(client) ?? new Map();
  known.set(client, answers);
  return answers;
}

/** What of a draft is to be saved with an entry. */
type WithEntry = (draft: RouteConfig) => readonly PluginEntry[];

/**
 * Saves a plugin's entry in the draft. Switches of several plugins pressed in quick succession are saved one after the
 * other, each upon what the one before was answered with: none is another user's change to the next, and what others change
 * besides the plugin is no matter to it. What `alongOf` answers of the draft that it is saved upon goes with it. `saving` is the entry that is on its way.
 */
export function useSwitchDraft(route: Route) {
  const [saving, setSaving] = useState<PluginEntry>();
  const { mutateAsync } = useUpdateRoute(route.id);
  const client = useQueryClient();
  const answered = answersOf(client);
  const readNewest = () => readNewestRoute(client, route.id);
  const saves = useSaves({ send: mutateAsync, revisionOf: (one: Route) => one.draft_revision, readNewest });

  async function saveUpon(upon: Route, entry: PluginEntry, alongOf: WithEntry): Promise<Route> {
    const bodyUpon = ({ draft }: Route) => ({ plugins: [entry, ...alongOf(draft)] });
    const configOf = ({ draft }: Route) => draft.plugins.find(({ name }) => name === entry.name)?.config;
    try {
      return await saves.save(upon, bodyUpon(upon));
    } catch (error) {
      if (!isStale(error)) throw error;
      // Where that cannot be read, it is not known whose the change was.
      const newest = await client.fetchQuery({ ...routeOptions(route.id), staleTime: 0 });
      if (!isSame(configOf(newest), configOf(upon))) throw error;
      return saves.save(newest, bodyUpon(newest));
    }
  }

  async function save(entry: PluginEntry, alongOf: WithEntry = () => []): Promise<Route> {
    const before = answered.get(route.id);
    const saved = (async () => {
      const answer = await before;
      const upon = answer && answer.draft_revision > route.draft_revision ? answer : route;
      return saveUpon(upon, entry, alongOf);
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
