import { type ReactNode, useDeferredValue } from 'react';
import { useMatchText } from '../domain/traffic/match-words';
import type { RequestMatch } from '../domain/traffic/request-match';
import { RecentRequests, useAreRequestsKnown } from '../features/domains/page/recent-requests';
import { AddressDialog } from './address-dialog';

interface MatchingRequestsProps {
  routeId: string;
  match: RequestMatch;
  onRemove: () => void;
  /** What stands below. It comes with the list, which is of any length and would push it off the screen. */
  children: ReactNode;
}

/** The last requests of the kind that a number of the dashboard counts. */
export default function MatchingRequests({ routeId, match, onRemove, children }: MatchingRequestsProps) {
  const matchText = useMatchText();
  const text = match.by ? undefined : matchText(match);
  // The table draws its first rows deferred: this must not come before them.
  const isKnown = useDeferredValue(useAreRequestsKnown(routeId, match));
  return (
    <>
      <RecentRequests routeId={routeId} only={{ match, text, onRemove }} AddressDialog={AddressDialog} />
      {isKnown && children}
    </>
  );
}
