import { ChartColumn } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { buttonClass } from '../../ui/button';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/states';

/** That nothing has come yet, to any domain or to the one that is shown, and where to go. */
export default function NoTraffic({ isOfOne, href }: { isOfOne: boolean; href: string }) {
  const t = useTranslations('traffic.empty');
  return (
    <Card>
      <EmptyState
        icon={<ChartColumn size={22} aria-hidden />}
        title={t(isOfOne ? 'titleOne' : 'title')}
        description={t('descriptionLive')}
        action={
          <a href={href} className={buttonClass(isOfOne ? 'primary' : 'secondary')}>
            {t(isOfOne ? 'actionOne' : 'action')}
          </a>
        }
      />
    </Card>
  );
}
