import { useTranslations } from 'use-intl';
import { Card } from '../../ui/card';
import { type EndAttackOf, type Judged, JudgedDomain } from './health-rows';

interface DomainHealthCardProps {
  domain: Judged;
  isUnknown: boolean;
  endAttackOf: EndAttackOf;
}

/** How the one domain is that the numbers below are of; its name stands in the filter. */
export default function DomainHealthCard(props: DomainHealthCardProps) {
  const t = useTranslations('traffic.health');
  return (
    <Card flush aria-label={t('labelOne', { name: props.domain.domain_name_unicode })}>
      <ul>
        <JudgedDomain {...props} />
      </ul>
    </Card>
  );
}
