import type { Route, RouteSummary } from '@cordon/contract';
import {
  BrushCleaning,
  Copy,
  Diff,
  Ellipsis,
  FlaskConical,
  LayoutTemplate,
  Lock,
  Pause,
  Play,
  Rocket,
  Route as RouteIcon,
  ShieldOff,
  Siren,
  SquareTerminal,
  Trash2,
  Undo2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useCreatePreview } from '../../../domain/data/queries';
import { isFirstLook } from '../../../domain/health/first-look';
import { HealthBadge } from '../../../domain/health/health-badge';
import type { DialogAction } from '../../../domain/model/dialog-action';
import { domainActions, isOpenAtOnce, isOperationRunning, isServed } from '../../../domain/model/domain-state';
import { Badge, StatusBadge } from '../../../ui/badge';
import { Button, IconButton } from '../../../ui/button';
import { copyText } from '../../../ui/copy-button';
import { DottedText } from '../../../ui/dotted-text';
import { isPhone } from '../../../ui/is-phone';
import { Menu } from '../../../ui/menu';
import type { MenuItem } from '../../../ui/menu-types';
import { notify } from '../../../ui/notices';
import { PageHeader } from '../../../ui/page-header';
import { HeaderFacts } from './header-facts';

interface DomainHeaderProps {
  route: Route;
  /** What the shown tab is called. */
  tab: string;
  breadcrumb: ReactNode;
  /** Under Attack mode is at work on it. */
  isStarted: boolean;
  onAsk: (action: DialogAction) => void;
  onPause: () => void;
}

/** Whether Under Attack mode can be started: the domain is served, and its protection is not paused. */
const hasAttackMode = (route: Route): boolean => isServed(route) && route.paused === null;

/** What is done seldom; on a phone also what has no room beside it. */
function MoreMenu({ route, isStarted, onAsk, onPause }: Omit<DomainHeaderProps, 'breadcrumb' | 'tab'>) {
  const t = useTranslations('domain');
  const can = domainActions(route);
  const groups: (MenuItem | false)[][] = [
    [
      isPhone() &&
        hasAttackMode(route) && {
          id: 'attack',
          label: t(isStarted ? 'action.attackEnd' : 'action.attack'),
          icon: <Siren size={16} aria-hidden />,
          onSelect: () => onAsk('attack'),
        },
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
    isOpenAtOnce(route)
      ? [
          {
            id: 'clear-cache',
            label: t('action.clearCache'),
            icon: <BrushCleaning size={16} aria-hidden />,
            onSelect: () => onAsk('clear_cache'),
          },
          {
            id: 'force-https',
            label: t('action.forceHttps'),
            icon: <Lock size={16} aria-hidden />,
            onSelect: () => onAsk('force_https'),
          },
        ]
      : [],
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
          // Its reason is told on hover, which a phone has not; there it would only take the room.
          className={isRunning || can.deploy ? undefined : 'phone:hidden'}
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

/** A request that is only followed through the edge, or one that is sent: the signed command, on the clipboard. */
function TestMenu({ route }: { route: Route }) {
  const t = useTranslations('domain.page.test');
  const preview = useCreatePreview(route.id);
  async function copyCommand() {
    const { curl } = await preview.mutateAsync();
    const isCopied = await copyText(curl);
    notify({
      tone: isCopied ? 'success' : 'warning',
      title: t(isCopied ? 'copied' : 'notCopied'),
      description: isCopied ? t('keep') : curl,
    });
  }
  const groups: MenuItem[] = [
    {
      id: 'trace',
      label: t('trace'),
      description: t('traceBody'),
      icon: <RouteIcon size={16} aria-hidden />,
      href: `#/domain/list/${route.id}?tab=diagnosis&view=trace`,
    },
  ];
  if (isServed(route))
    groups.push({
      id: 'curl',
      label: t('curl'),
      description: t('curlBody'),
      icon: <SquareTerminal size={16} aria-hidden />,
      // A refusal has shown its notice.
      onSelect: () => void copyCommand().catch(() => undefined),
    });
  return (
    <Menu
      trigger={
        <Button icon={<FlaskConical size={16} aria-hidden />} loading={preview.isPending}>
          {t('title')}
        </Button>
      }
      groups={[groups]}
    />
  );
}

/**
 * How it is, and which version is live; the list knows both before the domain itself is read. While an operation runs that is all
 * there is to say; on a phone the version stands further down.
 */
export function HeaderStatus({ route }: { route: RouteSummary }) {
  const t = useTranslations('domain');
  if (route.status === 'deleted') return <StatusBadge tone="neutral">{t('status.deleted')}</StatusBadge>;
  return (
    <>
      {isFirstLook(route) && !isOperationRunning(route) ? (
        <StatusBadge tone="neutral" busy>
          {t('page.checking')}
        </StatusBadge>
      ) : (
        <HealthBadge route={route} />
      )}
      {route.version_live !== null && isServed(route) && !isOperationRunning(route) && (
        <Badge className="border border-line-strong bg-card phone:hidden">
          {t('page.versionLive', { version: route.version_live })}
        </Badge>
      )}
    </>
  );
}

/** Name, health, what is live, and what one takes along; and the one thing to do: deploy. */
export function DomainHeader({ route, tab, breadcrumb, isStarted, onAsk, onPause }: DomainHeaderProps) {
  const t = useTranslations('domain');
  return (
    <PageHeader
      breadcrumb={[breadcrumb]}
      title={<DottedText text={route.domain_name_unicode} />}
      documentTitle={[tab, route.domain_name_unicode]}
      status={<HeaderStatus route={route} />}
      below={<HeaderFacts route={route} />}
      actions={
        route.status !== 'deleted' && (
          <>
            {hasAttackMode(route) && (
              <Button
                variant={isStarted ? 'danger' : 'secondary'}
                icon={<Siren size={16} aria-hidden />}
                onClick={() => onAsk('attack')}
                className="phone:hidden"
              >
                {t(isStarted ? 'action.attackEnd' : 'action.attack')}
              </Button>
            )}
            <TestMenu route={route} />
            <MoreMenu route={route} isStarted={isStarted} onAsk={onAsk} onPause={onPause} />
            <MainButtons route={route} onAsk={onAsk} />
          </>
        )
      }
    />
  );
}
