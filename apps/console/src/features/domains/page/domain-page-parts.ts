import type { Pause, Route } from '@cordon/contract';
import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { DialogAction, DomainActions } from '../../../domain/model/dialog-action';
import type { Started } from '../../../domain/model/started';
import type { DomainTab } from './domain-tabs';
import type { DomainPageSearch } from './page-search';

/** Without `replace` the way back leads to what was shown before. */
export type PageSearchChange = (search: DomainPageSearch, how?: { replace?: boolean }) => void;

export interface TabContentProps {
  tab: DomainTab;
  route: Route;
  search: DomainPageSearch;
  onSearchChange: PageSearchChange;
  /** Opens the question before an action. */
  onAsk: (action: DialogAction) => void;
  onPause: () => void;
}

/** What other features bring to the page; the route puts them together. */
export interface DomainPageParts {
  useActions: (onDeleted: () => void) => DomainActions;
  TabContent: ComponentType<TabContentProps>;
  /** Whether Under Attack mode is at work on the domain; its route may not be known yet. */
  useStarted: (id: string, route: Route | undefined) => Started;
  PauseDialog: ComponentType<{ route: Route; open: boolean; onOpenChange: (open: boolean) => void }>;
  /** Nothing while visitors need not prove themselves because of an attack. */
  AttackBanner: ComponentType<{ routeId: string }>;
  /** Has at hand what the banner shows. */
  readAttack: (client: QueryClient, routeId: string) => Promise<unknown>;
  /** Has at hand what stands above the numbers of a domain: its findings, what waits for a deploy, that it is in development mode. */
  loadAbove: (route: Route) => Promise<unknown>;
  loadPauseBanner: () => Promise<ComponentType<{ route: Route; pause: Pause }>>;
}
