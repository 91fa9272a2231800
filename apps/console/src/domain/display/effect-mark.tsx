import { FilePenLine, Zap } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Badge } from '../../ui/badge';

/** When a setting reaches visitors: at once, or with the next deploy. */
export function EffectMark({ effect }: { effect: 'at_once' | 'deploy' }) {
  const t = useTranslations('domain.effect');
  return effect === 'at_once' ? (
    <Badge tone="primary" icon={<Zap size={12} aria-hidden />}>
      {t('at_once')}
    </Badge>
  ) : (
    <Badge icon={<FilePenLine size={12} aria-hidden />}>{t(effect)}</Badge>
  );
}
