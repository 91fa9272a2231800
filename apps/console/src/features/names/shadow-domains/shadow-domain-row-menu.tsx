import { isWildcardName, type ShadowDomain } from '@cordon/contract';
import { ArrowUpToLine, Ellipsis, Signpost, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../../ui/button';
import { Menu } from '../../../ui/menu';
import type { MenuItem } from '../../../ui/menu-types';

export type ShadowDomainAction = 'show' | 'promote' | 'remove';

/** Why a shadow domain cannot be promoted now; undefined when it can. */
export function promotionHint(shadowDomain: ShadowDomain): 'wildcard' | 'pending' | undefined {
  if (isWildcardName(shadowDomain.name)) return 'wildcard';
  return shadowDomain.ownership.state === 'verified' ? undefined : 'pending';
}

export function ShadowDomainRowMenu({
  shadowDomain,
  isLocked,
  onAsk,
}: {
  shadowDomain: ShadowDomain;
  /** While the domain is suspended or being deleted, nothing can be changed. */
  isLocked: boolean;
  onAsk: (action: ShadowDomainAction, shadowDomain: ShadowDomain) => void;
}) {
  const t = useTranslations('shadowDomains');
  const groups = (): MenuItem[][] => {
    const hint = promotionHint(shadowDomain);
    return [
      [
        {
          id: 'show',
          label: t('action.show'),
          icon: <Signpost size={16} aria-hidden />,
          onSelect: () => onAsk('show', shadowDomain),
        },
        {
          id: 'promote',
          label: t('action.promote'),
          description: hint && t(`promote.${hint}`),
          icon: <ArrowUpToLine size={16} aria-hidden />,
          disabled: hint !== undefined || isLocked,
          onSelect: () => onAsk('promote', shadowDomain),
        },
      ],
      [
        {
          id: 'remove',
          label: t('action.remove'),
          icon: <Trash2 size={16} aria-hidden />,
          tone: 'danger',
          disabled: isLocked,
          onSelect: () => onAsk('remove', shadowDomain),
        },
      ],
    ];
  };
  return (
    <Menu
      trigger={
        <IconButton
          label={t('actionsOf', { name: shadowDomain.name_unicode })}
          icon={<Ellipsis size={18} aria-hidden />}
        />
      }
      groups={groups}
    />
  );
}
