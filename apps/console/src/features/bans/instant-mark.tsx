import { Zap } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Badge } from '../../ui/badge';

/** That changes of these lists reach visitors at once. */
export function InstantMark() {
  const t = useTranslations('bans');
  return (
    <Badge tone="warning" icon={<Zap size={12} aria-hidden />}>
      {t('instant')}
    </Badge>
  );
}
