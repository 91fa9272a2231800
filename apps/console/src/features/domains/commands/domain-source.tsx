import type { HealthFinding, Route, RouteSummary } from '@cordon/contract';
import {
  Code,
  Copy,
  CopyPlus,
  Diff,
  Download,
  Eraser,
  ExternalLink,
  FileBadge,
  Folder,
  Globe,
  HardDriveDownload,
  HeartPulse,
  History,
  type LucideIcon,
  PanelTop,
  Pause,
  Play,
  Plus,
  Rocket,
  ScanSearch,
  Search,
  ShieldCheck,
  ShieldOff,
  Siren,
  Trash2,
  Undo2,
  Waypoints,
} from 'lucide-react';
import { type ComponentType, Suspense, useState } from 'react';
import { createTranslator } from 'use-intl';
import { api, queryClient } from '../../../app/api-client';
import { downloadCsv } from '../../../app/download';
import { getIntl, type IntlState, needCatalogs } from '../../../app/intl-store';
import { plain } from '../../../app/palette/fuzzy';
import type { PaletteActions, PaletteGroup, PaletteItem, PaletteSource } from '../../../app/palette/palette-types';
import { domainKeys } from '../../../domain/data/keys';
import { accountHealthOptions } from '../../../domain/data/queries';
import { recentDomains } from '../../../domain/data/recent-domains';
import { type LooseTranslator, sayShort } from '../../../domain/health/health-words';
import type { ActionDialogProps, DialogAction } from '../../../domain/model/dialog-action';
import { domainActions, isOperationRunning, isServed } from '../../../domain/model/domain-state';
import { siteUrl } from '../../../domain/model/site-url';
import { copyText } from '../../../ui/copy-button';
import { notify } from '../../../ui/notices';
import {
  loadPlaceWords,
  placeHint,
  placeItem,
  placeLabel,
  placeNames,
  places,
  placeWords,
  readPlace,
} from './domain-places';
import { FOUND_MAX, findDomains, listedRoutes } from './find-domains';

/** The questions before an action; other features ask them. */
export interface CommandDialogs {
  readonly ActionDialog: ComponentType<ActionDialogProps>;
  readonly GroupsDialog: ComponentType<{ open: boolean; onOpenChange: (open: boolean) => void }>;
}
/** After the dialog has led the focus back. */
const CLOSING_MS = 300;

function words() {
  const { locale, messages } = getIntl();
  return createTranslator({ locale, messages: messages as Required<IntlState['messages']>, namespace: 'commands' });
}

/** As `useShortFinding` says it, outside of what is drawn. */
function shortFinding(finding: HealthFinding): string {
  const { locale, messages } = getIntl();
  const t = createTranslator({
    locale,
    messages: messages as Required<IntlState['messages']>,
    namespace: 'health.short',
  });
  return sayShort(t as unknown as LooseTranslator, finding);
}

/** What can be done to a domain from anywhere. */
type Command =
  | 'deploy'
  | 'attack'
  | 'pause'
  | 'endPause'
  | 'deactivate'
  | 'resume'
  | 'copyCname'
  | 'openSite'
  | 'clearCache'
  | 'prefetch'
  | 'tryUrl'
  | 'development'
  | 'versions'
  | 'trace'
  | 'certificate'
  | 'discard'
  | 'clone'
  | 'compare'
  | 'delete';
const icons: Record<Command, LucideIcon> = {
  deploy: Rocket,
  attack: Siren,
  pause: ShieldOff,
  endPause: ShieldCheck,
  deactivate: Pause,
  resume: Play,
  copyCname: Copy,
  openSite: ExternalLink,
  clearCache: Eraser,
  prefetch: HardDriveDownload,
  tryUrl: ScanSearch,
  development: Code,
  versions: History,
  trace: Waypoints,
  certificate: FileBadge,
  discard: Undo2,
  clone: CopyPlus,
  compare: Diff,
  delete: Trash2,
};
/** Commands that lead to where they are done. */
const hashes: Partial<Record<Command, (id: string) => string>> = {
  endPause: (id) => `/domain/list/${id}`,
  clearCache: (id) => `/domain/list/${id}?tab=caching&panel=clear`,
  prefetch: (id) => `/domain/list/${id}?tab=caching&panel=prefetch`,
  tryUrl: (id) => `/domain/list/${id}?tab=caching&panel=try`,
  development: (id) => `/domain/list/${id}?tab=caching&panel=development`,
  versions: (id) => `/domain/list/${id}?tab=versions`,
  certificate: (id) => `/domain/list/${id}?tab=diagnosis`,
  trace: (id) => `/domain/list/${id}?tab=diagnosis&view=trace`,
};
const commands = Object.keys(icons) as Command[];

function isPossible(command: Command, route: RouteSummary): boolean {
  const can: Partial<Record<Command, boolean>> = domainActions(route);
  const isAction = can[command];
  if (isAction !== undefined) return isAction;
  if (command === 'pause' || command === 'attack') return isServed(route) && !route.is_paused;
  if (command === 'endPause') return route.is_paused;
  return command !== 'openSite' || siteUrl(route) !== undefined;
}

/** A dialog of no domain, for as long as it is open. */
function PaletteDialog({ Dialog, close }: { Dialog: CommandDialogs['GroupsDialog']; close: () => void }) {
  const [isOpen, setOpen] = useState(true);
  return (
    <Suspense fallback={null}>
      <Dialog
        open={isOpen}
        onOpenChange={(open) => {
          setOpen(open);
          if (!open) window.setTimeout(close, CLOSING_MS);
        }}
      />
    </Suspense>
  );
}

/** Whether a domain may be paused, which needs fixing then: not where none does. */
function mayBePaused(): boolean {
  const health = queryClient.getQueryData(accountHealthOptions.queryKey);
  return health === undefined || health.counts.error + health.counts.warning > 0;
}

/** The question before an action, for as long as it is asked. */
function PaletteActionDialog({
  dialogs: { ActionDialog },
  action,
  route,
  close,
  onDeleted,
}: {
  dialogs: CommandDialogs;
  action: DialogAction;
  route: RouteSummary;
  close: () => void;
  onDeleted: () => void;
}) {
  const [isOpen, setOpen] = useState(true);
  const props = {
    route,
    open: isOpen,
    onOpenChange(open: boolean) {
      setOpen(open);
      if (!open) window.setTimeout(close, CLOSING_MS);
    },
  };
  return (
    <Suspense fallback={null}>
      <ActionDialog {...props} action={action} onDeleted={onDeleted} />
    </Suspense>
  );
}

async function carryOut(dialogs: CommandDialogs, command: Command, route: RouteSummary, actions: PaletteActions) {
  const t = words();
  const hash = hashes[command]?.(route.id);
  if (hash !== undefined) actions.go(hash);
  else if (command === 'copyCname') {
    const isCopied = await copyText(route.cname);
    notify(
      isCopied
        ? { tone: 'success', title: t('copied', { cname: route.cname }) }
        : { tone: 'error', title: t('notCopied') },
    );
  } else if (command === 'openSite') window.open(siteUrl(route), '_blank', 'noopener');
  else
    actions.show((close) => (
      <PaletteActionDialog
        dialogs={dialogs}
        action={command as DialogAction}
        route={route}
        close={close}
        // The page of what is deleted has nothing more to show.
        onDeleted={() => openRoute()?.id === route.id && actions.go('/domain/list')}
      />
    ));
}

/** Less than lies between what begins with the word and what only has it. */
const recentBonus = (index: number) => Math.max(0, 12 - index) / 4;

const toItem = (domain: { id: string; name: string; unicode: string }, hint?: string, bonus?: number): PaletteItem => ({
  id: `domain:${domain.id}`,
  label: domain.unicode,
  hint,
  icon: Globe,
  names: [domain.unicode, domain.name],
  bonus,
  run: ({ go }) => go(`/domain/list/${domain.id}`),
});

const hintTones = { error: 'danger', warning: 'warning', off: 'neutral' } as const;

/** Its worst finding, as the list has it, where it needs fixing or is off. */
function unwell({ health: { state, findings } }: RouteSummary): Pick<PaletteItem, 'hint' | 'hintTone'> {
  const [worst, ...others] = findings;
  if (!worst || state === 'ok') return {};
  const more = others.length > 0 ? ` +${others.length}` : '';
  return { hint: `${shortFinding(worst)}${more}`, hintTone: hintTones[state] };
}

const toListed = (route: RouteSummary): PaletteItem => ({
  // What is typed of a name means the domain before what can be done with the open one, whose name may have it too.
  ...toItem(
    { id: route.id, name: route.domain_name, unicode: route.domain_name_unicode },
    route.remarks || undefined,
    1,
  ),
  ...unwell(route),
});

const commandItem = (dialogs: CommandDialogs, command: Command, route: RouteSummary): PaletteItem => {
  const t = words();
  const can = isPossible(command, route);
  const isOwnReason = command === 'discard' || command === 'deploy' || command === 'resume';
  const isSuspended = route.suspension !== null && command !== 'discard';
  const isBusy = isOperationRunning(route) && command in domainActions(route);
  const why = isSuspended ? 'suspended' : isBusy ? 'busy' : isOwnReason ? command : 'other';
  return {
    id: `${command}:${route.id}`,
    label: t(`on.${command}`, { name: route.domain_name_unicode }),
    hint: can ? undefined : t(`not.${why}`),
    icon: icons[command],
    names: [route.domain_name_unicode, route.domain_name],
    keywords: t(`keywords.${command}`).split('|'),
    disabled: !can,
    run: (actions) => carryOut(dialogs, command, route, actions),
  };
};

/** Where the list of domains shows those that the palette has no room for. */
const moreDomains = (q: string, count: number): PaletteItem => ({
  id: 'domains:more',
  label: words()('moreDomains', { count }),
  icon: Search,
  run: ({ go }) => go(`/domain/list?q=${encodeURIComponent(q)}`),
});

/** "Deploy…", then which domain. */
function chooser(
  { id, label, icon, names, keywords }: Pick<PaletteItem, 'id' | 'label' | 'icon' | 'names' | 'keywords' | 'hint'>,
  itemOf: (route: RouteSummary) => PaletteItem,
): PaletteItem {
  const t = words();
  return {
    id: `choose:${id}`,
    label,
    icon,
    names,
    keywords,
    page: {
      title: label,
      placeholder: t('which'),
      async find(query) {
        const { routes } = await findDomains(query.trim());
        const items = routes.map((route) => ({ ...itemOf(route), label: route.domain_name_unicode, icon: Globe }));
        return [{ id: 'domains', label: t('groups.domains'), items }];
      },
    },
  };
}

const commandChooser = (dialogs: CommandDialogs, command: Command): PaletteItem => {
  const t = words();
  return chooser(
    { id: command, label: t(`choose.${command}`), icon: icons[command], keywords: t(`keywords.${command}`).split('|') },
    (route) => commandItem(dialogs, command, route),
  );
};

/** What is done with all domains. */
function listItems({ GroupsDialog }: CommandDialogs): PaletteItem[] {
  const t = words();
  return [
    {
      id: 'needs-fixing',
      label: t('needsFixing'),
      icon: HeartPulse,
      keywords: t('keywords.needsFixing').split('|'),
      run: ({ go }) => go('/domain/list?health=attention'),
    },
    {
      id: 'pending-changes',
      label: t('pendingChanges'),
      icon: Rocket,
      keywords: t('keywords.pendingChanges').split('|'),
      run: ({ go }) => go('/domain/list?changes=pending'),
    },
    {
      id: 'find-domains',
      label: t('findDomains'),
      icon: Search,
      keywords: t('keywords.findDomains').split('|'),
      run: ({ go }) => go('/domain/list?find=true'),
    },
    {
      id: 'manage-groups',
      label: t('manageGroups'),
      icon: Folder,
      keywords: t('keywords.manageGroups').split('|'),
      run: ({ show }) => show((close) => <PaletteDialog Dialog={GroupsDialog} close={close} />),
    },
    {
      id: 'export',
      label: t('export'),
      icon: Download,
      keywords: t('keywords.export').split('|'),
      run: async () =>
        downloadCsv(`domains-${new Date().toISOString().slice(0, 10)}.csv`, await api.exportRoutes({ query: {} })),
    },
  ];
}

/** The tabs of the open domain, else each tab, then of which domain. */
const placeItems = (here: RouteSummary | undefined): PaletteItem[] =>
  places.map((place) =>
    here
      ? placeItem(place, here)
      : chooser(
          {
            id: place,
            label: words()('choose.place', { place: placeLabel(place) }),
            hint: placeHint(place),
            icon: PanelTop,
            names: placeNames(place),
            keywords: placeWords(place),
          },
          (route) => placeItem(place, route),
        ),
  );

/** The domain whose page is open, as far as it has been read. */
function openRoute(): Route | undefined {
  const id = /^#\/domain\/list\/([0-9a-f-]{36})/.exec(window.location.hash)?.[1];
  return id === undefined ? undefined : queryClient.getQueryData<Route>(domainKeys.route(id));
}

/** `deploy shop` or `shop deploy`: the actions that the query names, and the rest. */
function readVerbs(query: string): { command: Command; rest: string }[] {
  const t = words();
  const typed = plain(query).trim();
  const restOf = (verb: string) => {
    if (typed.startsWith(verb)) return typed.slice(verb.length).trim();
    const end = ` ${verb.trim()}`;
    return typed.endsWith(end) ? typed.slice(0, -end.length).trim() : '';
  };
  return commands.flatMap((command) => {
    const rest = t(`verbs.${command}`)
      .split('|')
      .map((verb) => restOf(plain(verb)))
      .find((one) => one !== '');
    return rest === undefined ? [] : [{ command, rest }];
  });
}

const createDomainSource = (dialogs: CommandDialogs): PaletteSource => ({
  groups(): PaletteGroup[] {
    const t = words();
    const here = openRoute();
    const recent = recentDomains().filter(({ id }) => id !== here?.id);
    const listed = listedRoutes().filter(({ id }) => id !== here?.id);
    return [
      {
        id: 'here',
        label: here ? t('groups.here', { name: here.domain_name_unicode }) : '',
        items: here
          ? commands.filter((one) => isPossible(one, here)).map((one) => commandItem(dialogs, one, here))
          : [],
      },
      {
        id: 'domains',
        label: t('groups.domains'),
        // Those opened last come first; what a list has shown is found at once.
        items: [
          ...recent.map((domain, index) => toItem(domain, t('recent'), recentBonus(index))),
          ...listed.map(toListed),
        ],
      },
      {
        id: 'actions',
        label: t('groups.actions'),
        items: [
          {
            id: 'add-domain',
            label: t('add'),
            icon: Plus,
            keywords: t('keywords.add').split('|'),
            run: ({ go }) => go('/domain/list?add=true'),
          },
          ...commands
            .filter((one) => one !== 'endPause' || mayBePaused())
            .map((command) => commandChooser(dialogs, command)),
          ...listItems(dialogs),
        ],
      },
      // Only by their words: beside everything else they would be too many.
      { id: 'places', label: t('groups.places'), items: placeItems(here) },
    ];
  },
  async search(query) {
    const t = words();
    const verbs = readVerbs(query);
    const place = readPlace(query);
    const q = query.trim();
    const [found, named, placed] = await Promise.all([
      findDomains(q),
      Promise.all(verbs.map(async ({ command, rest }) => ({ command, ...(await findDomains(rest)) }))),
      place ? findDomains(place.rest) : undefined,
    ]);
    const byVerb = named.flatMap(({ command, routes }) => routes.map((route) => commandItem(dialogs, command, route)));
    return [
      {
        id: 'domains',
        label: t('groups.domains'),
        items: found.routes.map(toListed),
        more: found.count > FOUND_MAX ? moreDomains(q, found.count - FOUND_MAX) : undefined,
      },
      { id: 'actions', label: t('groups.actions'), items: byVerb },
      {
        id: 'places',
        label: t('groups.places'),
        items: place ? (placed?.routes ?? []).map((one) => placeItem(place.place, one)) : [],
      },
    ];
  },
});

/** The palette's source with its words at hand. */
export async function loadDomainSource(dialogs: CommandDialogs): Promise<PaletteSource> {
  await Promise.all([needCatalogs('commands', 'domain', 'health'), loadPlaceWords()]);
  return createDomainSource(dialogs);
}
