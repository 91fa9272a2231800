import type { Suspension } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { Callout } from '../../../domain/form/callout';
import { useFormat } from '../../../ui/format';
import { SuspensionReason } from './suspension';

/** Why nothing of the domain can be deployed, on the tabs where one would. */
export default function SuspensionBanner({ suspension }: { suspension: Suspension }) {
  const t = useTranslations('domain.suspension');
  const format = useFormat();
  return (
    <Callout tone="danger" className="mb-4">
      <p className="font-semibold" role="status">
        {t(`title.${suspension.scope}`, { time: format.dateTime(suspension.since) })}
      </p>
      <div className="text-ink">
        <p>{t('effect')}</p>
        <SuspensionReason suspension={suspension} />
      </div>
    </Callout>
  );
}
