import type { Receipt } from '@cordon/contract';
import type { Format } from '../../ui/format';

/** Of the catalog `domain.receipt.summary`. */
export type ReceiptTranslator = (
  key: 'running' | 'failed' | 'successful' | 'removed',
  values: Record<string, string | number>,
) => string;

/** A receipt in a sentence: on how many nodes, and how fast the slowest was. What makes no version has no action to remove anything. */
export function receiptText(
  { nodes, action, state }: Pick<Receipt, 'nodes' | 'state'> & { readonly action?: Receipt['action'] },
  t: ReceiptTranslator,
  format: Format,
): string {
  const live = nodes.filter((node) => node.state === 'live');
  const slowest = Math.max(0, ...live.map((node) => node.live_ms ?? 0));
  const values = { live: live.length, total: nodes.length, time: format.duration(Math.round(slowest)) };
  if (state !== 'successful') return t(state, values);
  return t(action === 'deactivate' || action === 'delete' ? 'removed' : 'successful', values);
}
