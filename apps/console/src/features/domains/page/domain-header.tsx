import type { Route } from '@cordon/contract';
import { Copy, Diff, Ellipsis, LayoutTemplate, Pause, Play, Rocket, ShieldOff, Trash2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { DomainStatus } from '../../../domain/display/domain-status';
import type { DialogAction } from '../../../domain/model/dialog-action';
import { domainActions, isOperationRunning, isServed } from '../../../domain/model/domain-state';
import { Badge } from '../../../ui/badge';
import { Button, IconButton } from '../../../ui/button';
import { Menu } from '../../../ui/menu';
import type { MenuItem } from '../../../ui/menu-types';
import { PageHeader } from '../../../ui/page-header';
import { CnameCheck } from './cname-check';
import { HeaderFacts } from './header-facts';

interface DomainHeaderProps {
  route: Route;
  breadcrumb: ReactNode;
  onAsk: (action: DialogAction) => void;
  onPause: () => void;
}

/** What is done seldom. */
function MoreMenu({ route, onAsk, onPause }: Omit<DomainHeaderProps, 'breadcrumb'>) {
  const t = useTranslations('domain');
  const can = domainActions(route);
  const groups: (MenuItem | false)[][] = [
    [
      isServed(route) &&
        route.paused === null && {
          id: 'pause',
          label: t('action.pause'),
          icon: <ShieldOff size={16} aria-hidden />,
          onSelect: onPause,
        },
      can.discard && {
        id: 'discard',
        label: t('action.discard'),
        icon: <Undo2 size={16} aria-hidden />,
        onSelect: () => onAsk('discard'),
      },
      can.deactivate && {
        id: 'deactivate',
        label: t('action.deactivate'),
        icon: <Pause size={16} aria-hidden />,
        onSelect: () => onAsk('deactivate'),
      },
    ],
    [
      {
        id: 'clone',
        label: t('action.clone'),
        icon: <Copy size={16} aria-hidden />,
        onSelect: () => onAsk('clone'),
      },
      {
        id: 'compare',
        label: t('action.compare'),
        icon: <Diff size={16} aria-hidden />,
        onSelect: () => onAsk('compare'),
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
        onSelect: () => onAsk('delete'),
      },
    ],
  ];
  return (
    <Menu
      trigger={
        <IconButton
          label={t('page.more')}
          icon={<Ellipsis size={18} aria-hidden />}
          variant="secondary"
          className="flex-none!"
        />
      }
      groups={groups.map((group) => group.filter((item) => item !== false)).filter((group) => group.length > 0)}
    />
  );
}

/** Deploy, with how many changes wait; and resume, which comes first where there is nothing to deploy. */
function MainButtons({ route, onAsk }: Pick<DomainHeaderProps, 'route' | 'onAsk'>) {
  const t = useTranslations('domain');
  const can = domainActions(route);
  const isRunning = isOperationRunning(route);
  const isNew = route.last_deployed === null;
  const deployLabel = isRunning
    ? t(`operation.running.${route.operation?.action ?? 'deploy'}`)
    : isNew || route.pending_changes === 0
      ? t('action.deploy')
      : t('action.deployPending', { count: route.pending_changes });
  return (
    <>
      {can.resume && (
        <Button
          variant={can.deploy ? 'secondary' : 'primary'}
          icon={<Play size={16} aria-hidden />}
          onClick={() => onAsk('resume')}
        >
          {t('action.resume')}
        </Button>
      )}
      {(!can.resume || can.deploy) && (
        <Button
          variant="primary"
          icon={<Rocket size={16} aria-hidden />}
          loading={isRunning}
          disabled={!isRunning && !can.deploy}
          title={
            isRunning || can.deploy
              ? undefined
              : t(route.suspension === null ? 'action.nothingToDeploy' : 'action.suspended')
          }
          onClick={() => onAsk('deploy')}
        >
          {deployLabel}
        </Button>
      )}
    </>
  );
}

/** Name, status, what is live, whether the name points here; and the one thing to do: deploy. */
export function DomainHeader({ route, breadcrumb, onAsk, onPause }: DomainHeaderProps) {
  const t = useTranslations('domain');
  return (
    <PageHeader
      breadcrumb={[breadcrumb]}
      title={route.domain_name_unicode}
      status={
        <>
          <DomainStatus route={{ ...route, ownership_state: 'verified' }} />
          {route.version_live !== null && isServed(route) && (
            <Badge>{t('page.versionLive', { version: route.version_live })}</Badge>
          )}
          <CnameCheck route={route} />
        </>
      }
      below={<HeaderFacts route={route} />}
      actions={
        <>
          <MoreMenu route={route} onAsk={onAsk} onPause={onPause} />
          <MainButtons route={route} onAsk={onAsk} />
        </>
      }
    />
  );
}
