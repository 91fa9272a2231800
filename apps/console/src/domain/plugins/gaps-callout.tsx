import type { FeedGaps } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { Callout } from '../form/callout';
import { useGapParts } from './gap-parts';

/** The domains where what is live at once does nothing. Needs the catalog `of`. */
interface GapsCalloutProps {
  gaps: FeedGaps;
  of: 'bans' | 'bans.add' | 'bans.allowList' | 'attackMode';
  /** Leaves the dialog that it stands in. */
  onFollow?: () => void;
  className?: string;
}

export default function GapsCallout({ gaps, of, onFollow, className }: GapsCalloutProps) {
  const t = useTranslations(of);
  const parts = useGapParts(onFollow);
  return (
    <Callout tone="warning" className={className}>
      {t.rich('gaps', parts.rich(gaps))}
    </Callout>
  );
}
