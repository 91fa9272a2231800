import type { HealthFinding, Route } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { useBrand } from '../../app/brand';
import { Button, buttonClass } from '../../ui/button';
import type { DialogAction } from '../model/dialog-action';
import { domainActions } from '../model/domain-state';
import { cureOf, curePlace } from './cure';

interface CureButtonProps {
  route: Route;
  finding: Pick<HealthFinding, 'check' | 'advice' | 'params'>;
  onAsk: (action: DialogAction) => void;
  /** Goes to the DNS record where it stands on this screen; else it is looked for on the overview. */
  onShowRecord?: () => void;
}

/** What mends a finding, where one presses it: an action of this domain, the record, or the tab of the setting. */
export function CureButton({ route, finding, onAsk, onShowRecord }: CureButtonProps) {
  const t = useTranslations('health.cure');
  const { support_email: email } = useBrand();
  const cure = cureOf(finding);
  // The banner with its button stands above each tab.
  if (cure === 'end_pause') return null;
  if (cure === 'deploy' || cure === 'resume')
    return domainActions(route)[cure] ? (
      <Button size="sm" onClick={() => onAsk(cure)}>
        {t(cure)}
      </Button>
    ) : null;
  if (cure === 'dns' && onShowRecord)
    return (
      <Button size="sm" onClick={onShowRecord}>
        {t(cure)}
      </Button>
    );
  if (cure === 'contact_support')
    return email === '' ? null : (
      <a href={`mailto:${email}`} className={buttonClass('secondary', 'sm')}>
        {t(cure)}
      </a>
    );
  return (
    <a href={curePlace(route.id, finding)} className={buttonClass('secondary', 'sm')}>
      {t(cure)}
    </a>
  );
}
