import { useQueryClient } from '@tanstack/react-query';
import { type LiveEvent, useLiveEvents } from '../../app/live-events';
import { domainKeys } from './keys';

const routeOf = (event: LiveEvent): string | undefined =>
  typeof event.route_id === 'string' ? event.route_id : undefined;

/** Keeps lists and pages of domains fresh by the websocket's events. */
export function useLiveDomains(): void {
  const client = useQueryClient();
  useLiveEvents('domain', (event) => {
    const id = routeOf(event);
    void client.invalidateQueries({ queryKey: domainKeys.lists() });
    void client.invalidateQueries({ queryKey: id ? domainKeys.detail(id) : domainKeys.details() });
  });
}
