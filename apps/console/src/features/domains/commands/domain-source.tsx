import type { Route, RouteSummary } from '@cordon/contract';
import { Copy, ExternalLink, Globe, History, type LucideIcon, Pause, Play, Plus, Rocket } from 'lucide-react';
import { type ComponentType, Suspense, useState } from 'react';
import { createTranslator } from 'use-intl';
import { api, queryClient } from '../../../app/api-client';
import { getIntl, type IntlState, needCatalogs } from '../../../app/intl-store';
import { fuzzyScore, plain } from '../../../app/palette/fuzzy';
import type { PaletteActions, PaletteGroup, PaletteItem, PaletteSource } from '../../../app/palette/palette-types';
import { domainKeys } from '../../../domain/data/keys';
import type { ActionDialogProps, DialogAction } from '../../../domain/model/dialog-action';
import { domainActions } from '../../../domain/model/domain-state';
import { siteUrl } from '../../../domain/model/site-url';
import { copyText } from '../../../ui/copy-button';
import { notify } from '../../../ui/notices';
import { recentDomains } from './recent-domains';

/** The question before an action; other features ask it. */
type ActionDialog = ComponentType<ActionDialogProps>;
const FOUND_MAX = 8;

function words() {
  const { locale, messages } = getIntl();
  return createTranslator({ locale, messages: messages as Required<IntlState['messages']>, namespace: 'commands' });
}

/** What can be done to a domain from anywhere. */
type Command = 'deploy' | 'deactivate' | 'resume' | 'copyCname' | 'openSite' | 'versions';
const icons: Record<Command, LucideIcon> = {
  deploy: Rocket,
  deactivate: Pause,
  resume: Play,
  copyCname: Copy,
  openSite: ExternalLink,
  versions: History,
};
const commands = Object.keys(icons) as Command[];

function isPossible(command: Command, route: RouteSummary): boolean {
  if (command === 'deploy' || command === 'deactivate' || command === 'resume') return domainActions(route)[command];
  return command !== 'openSite' || siteUrl(route) !== undefined;
}

/** The question before an action, for as long as it is asked. */
function PaletteActionDialog({
  ActionDialog,
  action,
  route,
  close,
}: {
  ActionDialog: ActionDialog;
  action: DialogAction;
  route: RouteSummary;
  close: () => void;
}) {
  const [isOpen, setOpen] = useState(true);
  return (
    <Suspense fallback={null}>
      <ActionDialog
        action={action}
        route={route}
        open={isOpen}
        onOpenChange={(open) => {
          setOpen(open);
          // After the dialog has led the focus back.
          if (!open) window.setTimeout(close, 300);
        }}
      />
    </Suspense>
  );
}

async function carryOut(dialog: ActionDialog, command: Command, route: RouteSummary, actions: PaletteActions) {
  const t = words();
  if (command === 'copyCname') {
    const isCopied = await copyText(route.cname);
    notify(
      isCopied
        ? { tone: 'success', title: t('copied', { cname: route.cname }) }
        : { tone: 'error', title: t('notCopied') },
    );
  } else if (command === 'openSite') window.open(siteUrl(route), '_blank', 'noopener');
  else if (command === 'versions') actions.go(`/domain/list/${route.id}?tab=versions`);
  else
    actions.show((close) => <PaletteActionDialog ActionDialog={dialog} action={command} route={route} close={close} />);
}

const toItem = (domain: { id: string; name: string; unicode: string }, hint?: string, bonus?: number): PaletteItem => ({
  id: `domain:${domain.id}`,
  label: domain.unicode,
  hint,
  icon: Globe,
  keywords: [domain.name],
  bonus,
  run: ({ go }) => go(`/domain/list/${domain.id}`),
});

const toListed = (route: RouteSummary): PaletteItem =>
  toItem({ id: route.id, name: route.domain_name, unicode: route.domain_name_unicode }, route.remarks || undefined);

const commandItem = (dialog: ActionDialog, command: Command, route: RouteSummary): PaletteItem => {
  const t = words();
  const can = isPossible(command, route);
  const why =
    route.suspension !== null ? 'suspended' : command === 'resume' || command === 'deploy' ? command : 'other';
  return {
    id: `${command}:${route.id}`,
    label: t(`on.${command}`, { name: route.domain_name_unicode }),
    hint: can ? undefined : t(`not.${why}`),
    icon: icons[command],
    keywords: [route.domain_name, t(`keywords.${command}`)],
    disabled: !can,
    run: (actions) => carryOut(dialog, command, route, actions),
  };
};

/** What lists of domains have shown. */
const listedRoutes = (): RouteSummary[] =>
  queryClient
    .getQueriesData<{ results: RouteSummary[] }>({ queryKey: domainKeys.lists() })
    .flatMap(([, page]) => page?.results ?? []);

/**
 * Domains that match, those opened last first; the same answer within seconds is not asked for twice. One who no longer
 * wants the answer does not end the request: another one may wait for the same. The API finds letters as they are
 * written; among what lists have shown, accents do not count and letters may be left out, as everywhere in the palette.
 */
async function findDomains(q: string): Promise<readonly RouteSummary[]> {
  const query = q === '' ? { perpage: FOUND_MAX, sort: '-last_deployed' as const } : { q, perpage: FOUND_MAX };
  const { results } = await queryClient.fetchQuery({
    queryKey: domainKeys.list(query),
    queryFn: ({ signal }) => api.listRoutes({ query, signal }),
    retry: false,
  });
  const ids = new Set(results.map(({ id }) => id));
  const fitting =
    q === '' ? [] : listedRoutes().filter((one) => fuzzyScore(q, [one.domain_name_unicode, one.domain_name]));
  const more = fitting.filter(({ id }) => !ids.has(id) && ids.add(id));
  const order = recentDomains().map(({ id }) => id);
  const place = ({ id }: RouteSummary) => (order.includes(id) ? order.indexOf(id) : order.length);
  const byPlace = (left: RouteSummary, right: RouteSummary) => place(left) - place(right);
  return [...results.toSorted(byPlace), ...more.toSorted(byPlace)].slice(0, FOUND_MAX);
}

/** "Deploy…", then which domain. */
function chooser(dialog: ActionDialog, command: Command): PaletteItem {
  const t = words();
  return {
    id: `choose:${command}`,
    label: t(`choose.${command}`),
    icon: icons[command],
    keywords: [t(`keywords.${command}`)],
    page: {
      title: t(`choose.${command}`),
      placeholder: t('which'),
      async find(query) {
        const found = await findDomains(query.trim());
        const items = found.map((route) => ({
          ...commandItem(dialog, command, route),
          label: route.domain_name_unicode,
          icon: Globe,
        }));
        return [{ id: 'domains', label: t('groups.domains'), items }];
      },
    },
  };
}

/** The domain whose page is open, as far as it has been read. */
function openRoute(): Route | undefined {
  const id = /^#\/domain\/list\/([0-9a-f-]{36})/.exec(window.location.hash)?.[1];
  return id === undefined ? undefined : queryClient.getQueryData<Route>(domainKeys.route(id));
}

/** `deploy shop`: the action that the query begins with, and the rest. */
function readVerb(query: string): { command: Command; rest: string } | undefined {
  const t = words();
  const typed = plain(query).trimStart();
  for (const command of commands) {
    for (const verb of t(`verbs.${command}`).split('|')) {
      const rest = typed.startsWith(plain(verb)) ? typed.slice(plain(verb).length).trim() : '';
      if (rest !== '') return { command, rest };
    }
  }
  return undefined;
}

const createDomainSource = (dialog: ActionDialog): PaletteSource => ({
  groups(): PaletteGroup[] {
    const t = words();
    const here = openRoute();
    const recent = recentDomains().filter(({ id }) => id !== here?.id);
    const listed = listedRoutes().filter(({ id }) => id !== here?.id);
    return [
      {
        id: 'here',
        label: here ? t('groups.here', { name: here.domain_name_unicode }) : '',
        items: here ? commands.filter((one) => isPossible(one, here)).map((one) => commandItem(dialog, one, here)) : [],
      },
      {
        id: 'domains',
        label: t('groups.domains'),
        // Those opened last come first; what a list has shown is found at once, letters left out or not.
        items: [
          ...recent.map((domain, index) => toItem(domain, t('recent'), Math.max(0, 12 - index))),
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
            keywords: [t('keywords.add')],
            run: ({ go }) => go('/domain/list?add=true'),
          },
          ...commands.map((command) => chooser(dialog, command)),
        ],
      },
    ];
  },
  async search(query) {
    const t = words();
    const verb = readVerb(query);
    const [found, named] = await Promise.all([findDomains(query.trim()), verb ? findDomains(verb.rest) : []]);
    const byVerb = verb ? named.map((route) => commandItem(dialog, verb.command, route)) : [];
    return [
      {
        id: 'domains',
        label: t('groups.domains'),
        items: found.map(toListed),
      },
      { id: 'actions', label: t('groups.actions'), items: byVerb },
    ];
  },
});

/** The palette's source with its words at hand. */
export async function loadDomainSource(dialog: ActionDialog): Promise<PaletteSource> {
  await needCatalogs('commands', 'domain');
  return createDomainSource(dialog);
}
