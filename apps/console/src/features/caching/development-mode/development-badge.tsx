import { Code } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { failureTexts } from '../../../app/failure';
import { useStandingError } from '../../../domain/form/use-standing-error';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { useSwitchDevelopmentMode } from './queries';
import { useTimeLeft } from './use-time-left';

interface DevelopmentBadgeProps {
  routeId: string;
  endsAt: string;
  /** The badge goes, and its button with it: leads the focus on. */
  onEnd: () => void;
}

/** That a domain is in development mode, for how long yet, and its end: above figures that would puzzle without it. */
export function DevelopmentBadge({ routeId, endsAt, onEnd }: DevelopmentBadgeProps) {
  const t = useTranslations('caching.developmentMode');
  const time = useTimeLeft(endsAt);
  const { mutateAsync, isPending, error: failure } = useSwitchDevelopmentMode(routeId);
  const error = useStandingError(failure, undefined);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Badge tone="warning" icon={<Code size={14} aria-hidden />}>
        {t('badge', { time })}
      </Badge>
      <span className="text-muted">{t('banner')}</span>
      <Button
        size="sm"
        aria-label={t('endIt')}
        loading={isPending}
        onClick={() => mutateAsync(null).then(onEnd, () => undefined)}
      >
        {t('end')}
      </Button>
      {error &&
        failureTexts(error).map((reason) => (
          <p key={reason} role="alert" className="basis-full text-sm text-danger">
            {reason}
          </p>
        ))}
    </div>
  );
}
