import { useQueryClient } from '@tanstack/react-query';
import { useLiveEvents } from '../../app/live-events';
import { domainKeys } from './keys';

/** Keeps lists and pages of domains fresh by the websocket's events. */
export function useLiveDomains(): void {
  const client = useQueryClient();
  useLiveEvents('domain', (event) => {
    void client.invalidateQueries({ queryKey: domainKeys.lists() });
    void client.invalidateQueries({ queryKey: domainKeys.detail(event.id) });
  });
}
