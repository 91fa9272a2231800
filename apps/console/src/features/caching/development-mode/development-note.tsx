import { Code } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Callout } from '../../../domain/form/callout';
import { textLinkClass } from '../../../ui/text-link-class';
import { useTimeLeft } from './use-time-left';

/** On the overview of a domain: that it is in development mode, and the way to its end. */
export function DevelopmentNote({ routeId, endsAt }: { routeId: string; endsAt: string }) {
  const t = useTranslations('caching.developmentMode');
  const time = useTimeLeft(endsAt);
  return (
    <Callout tone="warning" icon={<Code size={16} />}>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {t('overview', { time })}
        <a
          href={`#/domain/list/${routeId}?tab=caching&panel=development`}
          className={`${textLinkClass} reach whitespace-nowrap`}
        >
          {t('open')}
        </a>
      </span>
    </Callout>
  );
}
