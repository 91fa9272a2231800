import { useMatchText } from '../domain/traffic/match-words';
import type { RequestMatch } from '../domain/traffic/request-match';
import { RecentRequests } from '../features/domains/page/recent-requests';
import { AddressDialog } from './address-dialog';

interface MatchingRequestsProps {
  routeId: string;
  match: RequestMatch;
  onRemove: () => void;
}

/** The last requests of the kind that a number of the dashboard counts. */
export default function MatchingRequests({ routeId, match, onRemove }: MatchingRequestsProps) {
  const matchText = useMatchText();
  const text = match.by ? undefined : matchText(match);
  return <RecentRequests routeId={routeId} only={{ match, text, onRemove }} AddressDialog={AddressDialog} />;
}
