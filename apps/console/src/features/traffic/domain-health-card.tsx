import { CircleCheck } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Card } from '../../ui/card';
import { textLinkClass } from '../../ui/text-link-class';
import { type Judged, JudgedDomain } from './health-rows';

interface DomainHealthCardProps {
  domain: Judged;
  isUnknown: boolean;
}

/** How the one domain is that the numbers below are of: in a sentence as of all of them where it is well. */
export default function DomainHealthCard(props: DomainHealthCardProps) {
  const t = useTranslations('traffic.health');
  const { domain, isUnknown } = props;
  const name = domain.domain_name_unicode;
  const page = `#/domain/list/${domain.route_id}`;
  return (
    <Card flush aria-label={t('labelOne', { name })}>
      {domain.health.state === 'ok' && domain.health.findings.length === 0 && !isUnknown ? (
        <div className="flex items-center gap-x-3 px-4 py-3">
          <CircleCheck size={18} aria-hidden className="shrink-0 text-success" />
          <p className="min-w-0 flex-1 font-semibold wrap-anywhere">
            <a href={page} className="text-ink no-underline hover:underline">
              {t('oneWell', { name })}
            </a>
          </p>
          <a href={page} className={`reach ${textLinkClass}`}>
            {t('open')}
          </a>
        </div>
      ) : (
        <ul>
          <JudgedDomain {...props} />
        </ul>
      )}
    </Card>
  );
}
