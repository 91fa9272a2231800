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

interface AttackBadgeProps {
  mode: Pick<AttackMode, 'route_id' | 'ends_at'>;
  /** On a phone its sign and the time alone: beside a name, words would need a line of their own. */
  isShort?: boolean;
}

/** That a domain, or the account, is in Under Attack mode, and for how long yet. */
export default function AttackBadge({ mode, isShort }: AttackBadgeProps) {
  const t = useTranslations('attackMode');
  const time = useTimeLeft(mode.ends_at);
  const text = t(mode.route_id === null ? 'badgeAll' : 'badge', { time });
  return (
    <Badge tone="danger" icon={<Siren size={14} aria-hidden />} className={isShort ? 'phone:-my-1' : ''}>
      <span className={isShort ? 'phone:hidden' : undefined}>{text}</span>
      {isShort && (
        <span className="sm:hidden" title={text}>
          <span aria-hidden>{time}</span>
          <span className="sr-only">{text}</span>
        </span>
      )}
    </Badge>
  );
}
