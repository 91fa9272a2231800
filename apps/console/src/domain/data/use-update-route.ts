import type { PluginEntry, Route, SavedRoute } from '@cordon/contract';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { domainKeys } from './keys';
import { type RouteChange, useTakeRoute } from './queries';
import type { Save } from './use-saves';

/** The domain with what the answer of a save has left out because it is known here; undefined where it is not. */
function completeSaved(
  { live, draft, ...saved }: SavedRoute,
  upon: Route,
  sent: readonly PluginEntry[] = [],
): Route | undefined {
  const isLiveKnown = live !== undefined || saved.version_live === upon.version_live;
  const known = new Map([...upon.draft.plugins, ...sent].map(({ name, config }) => [name, config]));
  const plugins = draft.plugins.flatMap(({ name, enabled, config = known.get(name) }) =>
    config ? [{ name, enabled, config }] : [],
  );
  if (!isLiveKnown || plugins.length < draft.plugins.length) return undefined;
  return { ...saved, draft: { ...draft, plugins }, live: live === undefined ? upon.live : live };
}

/** Revisions of drafts that this tab's own writes have made. */
const ownRevisions = new WeakMap<QueryClient, Set<string>>();
const keyOf = (id: string, revision: number) => `${id} ${revision}`;
function ownOf(client: QueryClient): Set<string> {
  const own = ownRevisions.get(client) ?? new Set<string>();
  ownRevisions.set(client, own);
  return own;
}

/** Whether nobody else has changed the draft since the revision: what is newer was saved here, by another form. */
export function isOwnSince(client: QueryClient, { id, draft_revision: newest }: Route, revision: number): boolean {
  const own = ownOf(client);
  for (let one = revision + 1; one <= newest; one++) if (!own.has(keyOf(id, one))) return false;
  return true;
}

/** Changes the draft, and deploys it if asked. Its form shows the errors. */
export function useUpdateRoute(id: string) {
  const client = useQueryClient();
  const take = useTakeRoute();
  return useMutation({
    mutationKey: domainKeys.route(id),
    mutationFn: async ({ upon, ...asked }: Save<Route, RouteChange>) => {
      const call = { params: { id }, ifMatch: upon.draft_revision, ...asked };
      // Lists of thousands of entries need not come back.
      const { result } = await api.updateRoute({ ...call, prefersMinimal: true });
      return completeSaved(result, upon, asked.body.plugins) ?? (await api.getRoute({ params: { id } })).result;
    },
    onSuccess: (route, { upon, body }) => {
      // More than one further was the change of somebody else, too.
      if (route.draft_revision === upon.draft_revision + 1) ownOf(client).add(keyOf(id, route.draft_revision));
      take(route, body.deploy === true);
    },
    meta: { isSilent: true },
  });
}
