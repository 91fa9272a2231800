import type { BatchItem } from '@cordon/contract';
import { Link } from '../../ui/text-link';

/** The name of an item, leading to its domain where there is one. */
export function BatchItemName({ item }: { item: Pick<BatchItem, 'route_id' | 'name'> }) {
  if (item.route_id === null) return item.name;
  return (
    <Link to="/domain/list/$id" params={{ id: item.route_id }} className="inline-flex items-center touch:min-h-10">
      {item.name}
    </Link>
  );
}
