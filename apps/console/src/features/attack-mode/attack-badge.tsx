import { Siren } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Badge } from '../../ui/badge';
import { useFormat } from '../../ui/format';
import { useNow } from '../../ui/now';
import type { AttackMode } from './queries';

const MINUTE_MS = 60_000;

/** How long it lasts yet, in whole minutes: rounded, since the time read last may be before the start. */
export function useTimeLeft(endsAt: string): string {
  const format = useFormat();
  const minutes = Math.max(1, Math.round((Date.parse(endsAt) - useNow()) / MINUTE_MS));
  return format.duration(minutes * MINUTE_MS);
}

/** That a domain, or the account, is in Under Attack mode, and for how long yet. */
export default function AttackBadge({ mode }: { mode: Pick<AttackMode, 'route_id' | 'ends_at'> }) {
  const t = useTranslations('attackMode');
  const time = useTimeLeft(mode.ends_at);
  return (
    <Badge tone="danger" icon={<Siren size={14} aria-hidden />}>
      {t(mode.route_id === null ? 'badgeAll' : 'badge', { time })}
    </Badge>
  );
}
