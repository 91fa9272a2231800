import type { Receipt } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../ui/format';

/** One sentence of a receipt: on how many nodes, and how fast the slowest was. */
export function useReceiptSummary(): (receipt: Receipt) => string {
  const t = useTranslations('domain.receipt.summary');
  const format = useFormat();
  return ({ nodes, action, state }) => {
    const live = nodes.filter((node) => node.state === 'live');
    const slowest = Math.max(0, ...live.map((node) => node.live_ms ?? 0));
    const values = { live: live.length, total: nodes.length, time: format.duration(Math.round(slowest)) };
    if (state !== 'successful') return t(state, values);
    return t(action === 'deactivate' || action === 'delete' ? 'removed' : 'successful', values);
  };
}
