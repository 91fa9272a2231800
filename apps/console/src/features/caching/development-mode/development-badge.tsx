import { Code } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Badge } from '../../../ui/badge';
import { useTimeLeft } from './use-time-left';

/** That a domain is in development mode, and for how long yet: above figures that would puzzle without it. */
export function DevelopmentBadge({ endsAt }: { endsAt: string }) {
  const t = useTranslations('caching.developmentMode');
  const time = useTimeLeft(endsAt);
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1">
      <Badge tone="warning" icon={<Code size={14} aria-hidden />}>
        {t('badge', { time })}
      </Badge>
      <span className="text-muted">{t('banner')}</span>
    </div>
  );
}
