import { Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Badge } from '../../../ui/badge';

/** Beside the title, on a phone too: that changes of these lists reach visitors at once, and the button that makes one. */
export function HeaderTools({ children }: { children?: ReactNode }) {
  const t = useTranslations('bans');
  return (
    <>
      <Badge tone="primary" icon={<Zap size={12} aria-hidden />}>
        {t('instant')}
      </Badge>
      <span className="ml-auto touch:h-10">{children}</span>
    </>
  );
}
