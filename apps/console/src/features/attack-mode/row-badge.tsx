import { ATTACK_FEED } from '@cordon/plugin-kit/feeds';
import { Siren } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFeedGaps } from '../../domain/plugins/feed-gaps';
import { useGapParts } from '../../domain/plugins/gap-parts';
import { Badge } from '../../ui/badge';
import { useTimeLeft } from './attack-badge';
import type { AttackMode } from './queries';

/** The same beside a name: its sign and the time alone, as words would need a line of their own. */
export default function RowBadge({ mode }: { mode: Pick<AttackMode, 'route_id' | 'ends_at'> }) {
  const t = useTranslations('attackMode');
  const time = useTimeLeft(mode.ends_at);
  const gaps = useFeedGaps(ATTACK_FEED, mode.route_id ?? undefined);
  const parts = useGapParts();
  const text = gaps ? t.markup('gaps', parts.plain(gaps)).trim() : t('badge', { time });
  return (
    <Badge tone={gaps ? 'neutral' : 'danger'} icon={<Siren size={14} aria-hidden />} className="-my-1">
      <span title={text}>
        <span aria-hidden>{time}</span>
        <span className="sr-only">{text}</span>
      </span>
    </Badge>
  );
}
