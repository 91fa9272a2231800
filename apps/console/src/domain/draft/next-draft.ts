import type { Route } from '@cordon/contract';
import { hashKey, type QueryClient } from '@tanstack/react-query';
import { domainKeys } from '../data/keys';

/** Tells once that the draft is not the one of this revision any more: edited, rolled back or deployed, by anyone. Answers how to stop. */
export function onNextDraft(
  client: QueryClient,
  routeId: string,
  revision: number,
  onNext: (route: Route) => void,
): () => void {
  const hash = hashKey(domainKeys.route(routeId));
  const stop = client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryHash !== hash) return;
    const route = query.state.data as Route | undefined;
    if (!route || route.draft_revision === revision) return;
    stop();
    onNext(route);
  });
  return stop;
}
