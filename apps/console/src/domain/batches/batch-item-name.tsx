import type { BatchItem } from '@cordon/contract';
import { Link } from '../../ui/text-link';

interface BatchItemNameProps {
  /** What was done to it. */
  kind: string;
  item: Pick<BatchItem, 'route_id' | 'name_unicode' | 'state'>;
  /** In a line of text. */
  isInline?: boolean;
}

/** The name of an item, leading to its domain where there is one, and still is. */
export function BatchItemName({ kind, item, isInline }: BatchItemNameProps) {
  if (item.route_id === null || (kind === 'delete' && item.state === 'successful')) return item.name_unicode;
  return (
    <Link
      to="/domain/list/$id"
      params={{ id: item.route_id }}
      className={isInline ? 'reach' : 'inline-flex items-center touch:min-h-10'}
    >
      {item.name_unicode}
    </Link>
  );
}
