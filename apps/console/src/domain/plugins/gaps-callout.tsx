import type { FeedGaps } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { Callout } from '../form/callout';
import { useGapParts } from './gap-parts';

/** Above a list: the domains where it does nothing. */
export default function GapsCallout({ gaps, of }: { gaps: FeedGaps; of: 'bans' | 'bans.allowList' }) {
  const t = useTranslations(of);
  const parts = useGapParts();
  return (
    <Callout tone="warning" className="mb-4">
      {t.rich('gaps', parts.rich(gaps))}
    </Callout>
  );
}
