import type { Route } from '@cordon/contract';
import { Ellipsis, Pause, Play, Rocket, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Badge } from '../../../ui/badge';
import { Button, IconButton } from '../../../ui/button';
import { Menu, type MenuItem } from '../../../ui/menu';
import { PageHeader } from '../../../ui/page-header';
import { domainActions, isOperationRunning } from '../model/domain-state';
import { DomainStatus } from '../status/domain-status';
import type { AskedAction } from '../status/use-domain-actions';
import { CnameCheck } from './cname-check';

interface DomainHeaderProps {
  route: Route;
  breadcrumb: ReactNode;
  onAsk: (action: AskedAction) => void;
}

/** Name, status, what is live, whether the name points here; and the one thing to do: deploy. */
export function DomainHeader({ route, breadcrumb, onAsk }: DomainHeaderProps) {
  const t = useTranslations('domains');
  const can = domainActions(route);
  const isRunning = isOperationRunning(route);
  const isNew = route.last_deployed === null;
  const more: (MenuItem | false)[][] = [
    [
      can.deactivate && {
        id: 'deactivate',
        label: t('action.deactivate'),
        icon: <Pause size={16} aria-hidden />,
        onSelect: () => onAsk('deactivate'),
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
  const deployLabel = isRunning
    ? t(`operation.running.${route.operation?.action ?? 'deploy'}`)
    : isNew || route.pending_changes === 0
      ? t('action.deploy')
      : t('action.deployPending', { count: route.pending_changes });
  return (
    <PageHeader
      breadcrumb={[breadcrumb]}
      title={route.domain_name_unicode}
      status={
        <>
          <DomainStatus route={{ ...route, ownership_state: 'verified' }} />
          {route.version_live !== null && route.status === 'running' && (
            <Badge>{t('page.versionLive', { version: route.version_live })}</Badge>
          )}
          <CnameCheck route={route} />
        </>
      }
      description={
        route.domain_name_unicode === route.domain_name && route.remarks === '' ? undefined : (
          <span className="wrap-anywhere">
            {[route.domain_name_unicode === route.domain_name ? '' : route.domain_name, route.remarks]
              .filter(Boolean)
              .join(' · ')}
          </span>
        )
      }
      actions={
        <>
          <Menu
            trigger={
              <IconButton
                label={t('page.more')}
                icon={<Ellipsis size={18} aria-hidden />}
                variant="secondary"
                className="flex-none!"
              />
            }
            groups={more.map((group) => group.filter((item) => item !== false)).filter((group) => group.length > 0)}
          />
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
              title={!isRunning && !can.deploy ? t('action.nothingToDeploy') : undefined}
              onClick={() => onAsk('deploy')}
            >
              {deployLabel}
            </Button>
          )}
        </>
      }
    />
  );
}
