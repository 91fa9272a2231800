import type { RouteSummary } from '@cordon/contract';
import {
  BrushCleaning,
  Copy,
  Diff,
  Ellipsis,
  ExternalLink,
  LayoutTemplate,
  Lock,
  Pause,
  Play,
  Rocket,
  ShieldOff,
  Siren,
  Trash2,
} from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { DialogAction } from '../../../domain/model/dialog-action';
import { domainActions, isOpenAtOnce, isServed } from '../../../domain/model/domain-state';
import { IconButton } from '../../../ui/button';
import { Menu } from '../../../ui/menu';
import type { MenuItem } from '../../../ui/menu-types';

/** Menu of a row; nothing but its button is mounted before the first use. */
export default function DomainRowMenu({
  route,
  onAsk,
}: {
  route: RouteSummary;
  onAsk: (action: DialogAction, route: RouteSummary) => void;
}) {
  const t = useTranslations('domain');
  function groups(): MenuItem[][] {
    const can = domainActions(route);
    const ask = (action: DialogAction) => () => onAsk(action, route);
    const lines: (MenuItem | false)[][] = [
      [
        {
          id: 'open',
          label: t('action.open'),
          icon: <ExternalLink size={16} aria-hidden />,
          href: `#/domain/list/${route.id}`,
        },
      ],
      [
        (can.deploy || !can.resume) && {
          id: 'deploy',
          label:
            route.pending_changes > 0 && route.last_deployed !== null
              ? t('action.deployPending', { count: route.pending_changes })
              : t('action.deploy'),
          description:
            can.deploy || can.resume
              ? undefined
              : t(
                  route.suspension !== null
                    ? 'action.suspended'
                    : route.operation?.state === 'running'
                      ? 'action.busy'
                      : 'action.nothingToDeploy',
                ),
          icon: <Rocket size={16} aria-hidden />,
          disabled: !can.deploy,
          onSelect: ask('deploy'),
        },
        can.resume && {
          id: 'resume',
          label: t('action.resume'),
          icon: <Play size={16} aria-hidden />,
          onSelect: ask('resume'),
        },
        isServed(route) &&
          !route.is_paused && {
            id: 'attack',
            label: t('action.attack'),
            icon: <Siren size={16} aria-hidden />,
            onSelect: ask('attack'),
          },
        isServed(route) &&
          !route.is_paused && {
            id: 'pause',
            label: t('action.pause'),
            icon: <ShieldOff size={16} aria-hidden />,
            onSelect: ask('pause'),
          },
        can.deactivate && {
          id: 'deactivate',
          label: t('action.deactivate'),
          icon: <Pause size={16} aria-hidden />,
          onSelect: ask('deactivate'),
        },
      ],
      isOpenAtOnce(route)
        ? [
            {
              id: 'clear-cache',
              label: t('action.clearCache'),
              icon: <BrushCleaning size={16} aria-hidden />,
              onSelect: ask('clear_cache'),
            },
            {
              id: 'force-https',
              label: t('action.forceHttps'),
              icon: <Lock size={16} aria-hidden />,
              onSelect: ask('force_https'),
            },
          ]
        : [],
      [
        {
          id: 'clone',
          label: t('action.clone'),
          icon: <Copy size={16} aria-hidden />,
          onSelect: ask('clone'),
        },
        {
          id: 'compare',
          label: t('action.compare'),
          icon: <Diff size={16} aria-hidden />,
          onSelect: ask('compare'),
        },
        {
          id: 'save-rule',
          label: t('action.saveRule'),
          icon: <LayoutTemplate size={16} aria-hidden />,
          href: `#/domain/rules?new=true&from=${route.id}`,
        },
      ],
      [
        {
          id: 'delete',
          label: t('action.delete'),
          icon: <Trash2 size={16} aria-hidden />,
          tone: 'danger',
          disabled: !can.delete,
          onSelect: ask('delete'),
        },
      ],
    ];
    return lines.map((group) => group.filter((item) => item !== false)).filter((group) => group.length > 0);
  }
  return (
    <Menu
      trigger={
        <IconButton
          label={t('list.actionsOf', { name: route.domain_name_unicode })}
          icon={<Ellipsis size={18} aria-hidden />}
        />
      }
      groups={groups}
    />
  );
}
