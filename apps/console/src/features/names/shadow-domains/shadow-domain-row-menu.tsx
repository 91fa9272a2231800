import { isWildcardName, type ShadowDomain } from '@cordon/contract';
import { ArrowUpToLine, Ellipsis, Signpost, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../../ui/button';
import { Menu } from '../../../ui/menu';
import type { MenuItem } from '../../../ui/menu-types';

export type AliasAction = 'show' | 'promote' | 'remove';

/** Why an alias cannot be promoted now; undefined when it can. */
export function promotionHint(alias: ShadowDomain): 'wildcard' | 'pending' | undefined {
  if (isWildcardName(alias.name)) return 'wildcard';
  return alias.ownership.state === 'verified' ? undefined : 'pending';
}

export function AliasRowMenu({
  alias,
  isLocked,
  onAsk,
}: {
  alias: ShadowDomain;
  /** While the domain is being deleted nothing can be changed. */
  isLocked: boolean;
  onAsk: (action: AliasAction, alias: ShadowDomain) => void;
}) {
  const t = useTranslations('shadowDomains');
  const groups = (): MenuItem[][] => {
    const hint = promotionHint(alias);
    return [
      [
        {
          id: 'show',
          label: t('action.show'),
          icon: <Signpost size={16} aria-hidden />,
          onSelect: () => onAsk('show', alias),
        },
        {
          id: 'promote',
          label: t('action.promote'),
          description: hint && t(`promote.${hint}`),
          icon: <ArrowUpToLine size={16} aria-hidden />,
          disabled: hint !== undefined || isLocked,
          onSelect: () => onAsk('promote', alias),
        },
      ],
      [
        {
          id: 'remove',
          label: t('action.remove'),
          icon: <Trash2 size={16} aria-hidden />,
          tone: 'danger',
          disabled: isLocked,
          onSelect: () => onAsk('remove', alias),
        },
      ],
    ];
  };
  return (
    <Menu
      trigger={
        <IconButton label={t('actionsOf', { name: alias.name_unicode })} icon={<Ellipsis size={18} aria-hidden />} />
      }
      groups={groups}
    />
  );
}
