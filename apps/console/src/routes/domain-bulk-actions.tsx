import BulkActions, { type BulkActionsProps } from '../features/domains/bulk/bulk-actions';
import BulkRule from '../features/rules/bulk-rule';

/** In one file, for all buttons to come at once: one that came later would push the others. */
export default function DomainBulkActions(props: Omit<BulkActionsProps, 'extras'>) {
  return <BulkActions {...props} extras={(context) => <BulkRule {...context} />} />;
}
