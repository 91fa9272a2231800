import {
  type BulkAction,
  DOMAIN_SELECTION_CHARACTERS_MAX,
  type RouteFilter,
  type RouteSelection,
  type RouteSummary,
} from '@cordon/contract';
import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button';
import { useFormat } from '../../../ui/format';
import { lazyPart } from '../../../ui/lazy-part';
import { Menu } from '../../../ui/menu';
import { canResume, describePicked } from './picked';
import type { Picked } from './selection';

const BulkDialog = lazyPart(() => import('./bulk-dialog'));

/** What the actions of the bar work on. */
export interface BulkContext {
  readonly selection: RouteSelection;
  /** How many domains. */
  readonly count: number;
  /** The names have more characters than the API takes (spec section 5). */
  readonly isTooLong: boolean;
  /** Shows the batch's progress over the list, and empties the selection. */
  readonly onStarted: (batchId: string) => void;
}

export interface BulkActionsProps extends Pick<BulkContext, 'onStarted'> {
  /** Empties the selection: what it was picked for is scheduled. */
  readonly onScheduled?: (() => void) | undefined;
  /** How many match the filter, where all of them can be selected. */
  readonly matching: number | undefined;
  readonly onSelectAllMatching: () => void;
  readonly picked: Picked;
  /** Of the page that is shown, its filter, and how many match that. */
  readonly rows: readonly RouteSummary[];
  readonly filter: RouteFilter;
  readonly all: number;
  /** Actions of other features; they must not come late: what deletes stands after them. */
  readonly extras?: (context: BulkContext) => ReactNode;
}

const ACTIONS: readonly BulkAction[] = ['deploy', 'resume', 'deactivate', 'move_group', 'clear_cache', 'delete'];
/** The others are in a menu where there is no room for them. */
const PHONE_ACTION: BulkAction = 'deploy';
/** With room for no more names than these it is worth saying. */
const NAMES_FEW = 3;

/** In the bar over the list, once domains are selected. */
export default function BulkActions(props: BulkActionsProps) {
  const { onStarted, onScheduled, matching, onSelectAllMatching, extras } = props;
  const { selection, count, isTooLong, characters, left } = describePicked(props.picked, props.filter, props.all);
  const t = useTranslations('bulk');
  const format = useFormat();
  const actions = canResume(props.picked, props.rows) ? ACTIONS : ACTIONS.filter((action) => action !== 'resume');
  const [asked, setAsked] = useState<BulkAction>();
  const [isOpen, setOpen] = useState(false);
  const ask = (action: BulkAction) => {
    setAsked(action);
    setOpen(true);
  };
  const button = (action: BulkAction) => (
    <Button
      key={action}
      size="sm"
      disabled={isTooLong}
      className={clsx(action !== PHONE_ACTION && 'phone:hidden', action === 'delete' && 'text-danger!')}
      onClick={() => ask(action)}
    >
      {t(action)}
    </Button>
  );
  const maximum = format.number(DOMAIN_SELECTION_CHARACTERS_MAX);
  return (
    <>
      {matching !== undefined && (
        <Button size="sm" variant="ghost" onClick={onSelectAllMatching}>
          {t('selectAllMatching', { count: matching })}
        </Button>
      )}
      <span className="flex flex-wrap items-center gap-2">
        {actions.filter((action) => action !== 'delete').map(button)}
        <span className="sm:hidden">
          <Menu
            align="start"
            trigger={
              <Button size="sm" disabled={isTooLong} aria-label={t('moreActions')}>
                {t('more')}
                <ChevronDown size={14} aria-hidden className="opacity-60" />
              </Button>
            }
            groups={() => [
              actions
                .filter((action) => action !== PHONE_ACTION)
                .map((action) => ({
                  id: action,
                  label: t(action),
                  ...(action === 'delete' && { tone: 'danger' as const }),
                  onSelect: () => ask(action),
                })),
            ]}
          />
        </span>
        {extras?.({ selection, count, isTooLong, onStarted })}
        {button('delete')}
      </span>
      {isTooLong ? (
        <span className="text-sm font-medium text-danger tabular">
          {t('characters', { characters: format.number(characters ?? 0), maximum })}
        </span>
      ) : (
        left <= NAMES_FEW && <span className="text-sm text-muted tabular">{t('roomFor', { count: left })}</span>
      )}
      {isTooLong && (
        <p role="alert" className="basis-full text-sm text-danger">
          {t('tooLong', { maximum })}
        </p>
      )}
      {asked && (
        <Suspense fallback={null}>
          <BulkDialog
            key={asked}
            action={asked}
            selection={selection}
            count={count}
            open={isOpen}
            onOpenChange={setOpen}
            onStarted={onStarted}
            onScheduled={onScheduled}
          />
        </Suspense>
      )}
    </>
  );
}
