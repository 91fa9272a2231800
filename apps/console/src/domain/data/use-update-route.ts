import type { PluginEntry, Route, SavedRoute } from '@cordon/contract';
import { useMutation } from '@tanstack/react-query';
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

/** Changes the draft, and deploys it if asked. Its form shows the errors. */
export function useUpdateRoute(id: string) {
  const take = useTakeRoute();
  return useMutation({
    mutationKey: domainKeys.route(id),
    mutationFn: async ({ upon, ...asked }: Save<Route, RouteChange>) => {
      const call = { params: { id }, ifMatch: upon.draft_revision, ...asked };
      // Lists of thousands of entries need not come back.
      const { result } = await api.updateRoute({ ...call, prefersMinimal: true });
      return completeSaved(result, upon, asked.body.plugins) ?? (await api.getRoute({ params: { id } })).result;
    },
    onSuccess: (route, { body }) => take(route, body.deploy === true),
    meta: { isSilent: true },
  });
}
