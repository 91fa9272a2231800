import { type CallOutput, parseAddress, parseRange, type Route, rangeContains } from '@cordon/contract';
import type { PluginOperations } from '@cordon/plugins/operations';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../app/api-client';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { Button } from '../../../ui/button';
import { useFormat } from '../../../ui/format';
import { labelled } from '../../../ui/labelled';
import { Skeleton } from '../../../ui/states';
import { Link } from '../../../ui/text-link';
import type { LoggedRequest } from './trace-values';
import { useReasonWords } from './verdict';

type Ban = CallOutput<PluginOperations['listBans']>['results'][number];

/** Bans of one search that are looked through for the very one. */
const SEARCHED = 100;
/** The screen of bans and the switches beside addresses keep theirs below it. */
const BANS = ['bans'] as const;

/** Bans that hold an address, of the domain and of all of the account's; `isFound` is false where it cannot be told whether there are any. */
function useBansOf(routeId: string, address: string) {
  const query = { route_id: routeId, q: address, page: 1, perpage: SEARCHED };
  const { data, isPending } = useQuery({
    queryKey: [...BANS, 'list', query],
    queryFn: ({ signal }) => api.listBans({ query, signal }),
    meta: { isSilent: true },
  });
  const client = parseAddress(address);
  const holds = (network: string) => {
    const range = parseRange(network);
    return range !== undefined && client !== undefined && rangeContains(range, client);
  };
  const bans = data?.results.filter(({ network }) => holds(network)) ?? [];
  return { bans, isPending, isFound: data !== undefined && (bans.length > 0 || data.count <= data.results.length) };
}

/** Who banned it and why, and until when. */
function useBanText(): (ban: Ban, domain: string) => string {
  const t = useTranslations('diagnosis.trace.exceptions');
  const format = useFormat();
  const words = usePluginWords();
  const reason = useReasonWords();
  return ({ plugin, reason: why, note, ends_at: end }, domain) => {
    const by =
      plugin === null
        ? note || t('byHand')
        : [words && pluginName(words(plugin), plugin), reason(plugin, why ?? '', domain)];
    return [by, end === null ? t('untilUnbanned') : t('until', { time: format.dateTime(end) })]
      .flat()
      .filter(Boolean)
      .join(' · ');
  };
}

/** The request that was too much, where another is looked at: its trace has what would have let it pass. */
function CauseLink({ bans, logged }: { bans: readonly Ban[]; logged: LoggedRequest }) {
  const t = useTranslations('diagnosis.trace.exceptions');
  const ban = bans.find(({ route_id: id }) => id !== null);
  if (!ban?.route_id || !ban.request_id || ban.request_id === logged.request_id) return null;
  return (
    <p className="mt-3 text-sm">
      <Link
        to="/domain/list/$id"
        params={{ id: ban.route_id }}
        search={{ tab: 'diagnosis', view: 'trace', request: ban.request_id }}
        className="reach font-medium"
      >
        {t('cause')}
      </Link>{' '}
      <span className="text-muted">{t('causeEffect')}</span>
    </p>
  );
}

interface BanWaysProps {
  route: Route;
  /** Of a client that is banned, or was. */
  logged: LoggedRequest;
  /** What there is to stop has changed: what would become of the request now is another. */
  onChange: () => void;
}

/** What lets a banned client pass: the end of all bans that hold it, at once, and the way to what keeps it from the next one. */
export function BanWays({ route, logged, onChange }: BanWaysProps) {
  const address = logged.client_address;
  const t = useTranslations('diagnosis.trace.exceptions');
  const client = useQueryClient();
  const sayBan = useBanText();
  const { bans, isPending, isFound } = useBansOf(route.id, address);
  const [lifted, setLifted] = useState<readonly Ban[]>([]);
  const [hasChanged, setChanged] = useState(false);
  const said = useRef<HTMLParagraphElement>(null);
  const format = useFormat();
  const namesOf = (of: readonly Ban[]) => format.list([...new Set(of.map(({ network }) => network))]);
  const onSettled = () => {
    onChange();
    return client.invalidateQueries({ queryKey: BANS });
  };
  const lift = useMutation({
    mutationFn: async (of: readonly Ban[]) => api.liftBans({ body: { ids: of.map(({ id }) => id) } }),
    // One that is gone was banned anew meanwhile, or is over: what holds now is read.
    onSuccess: ({ result }, of) => {
      const isDone = result.lifted === of.length;
      setChanged(!isDone);
      if (isDone) setLifted(of);
    },
    onSettled,
  });
  const restore = useMutation({
    mutationFn: async () => api.restoreBans({ body: { ids: lifted.map(({ id }) => id) } }),
    onSuccess: () => setLifted([]),
    onSettled,
  });
  // The button that had the focus is gone.
  useEffect(() => {
    if (lifted.length > 0) said.current?.focus({ preventScroll: true });
  }, [lifted]);
  if (isPending) return <Skeleton className="mt-3 h-9 w-full" />;
  if (lifted.length > 0)
    return (
      <>
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <p ref={said} role="status" tabIndex={-1} className="min-w-0 text-sm wrap-anywhere outline-none">
            {t('unbanned', { network: namesOf(lifted) })}
          </p>
          <Button size="sm" loading={restore.isPending} onClick={() => restore.mutate()}>
            {t('undo')}
          </Button>
        </div>
        <CauseLink bans={lifted} logged={logged} />
      </>
    );
  if (!isFound) return null;
  if (bans.length === 0)
    return <p className="mt-3 text-sm text-muted wrap-anywhere">{t('banOver', { network: address })}</p>;
  return (
    <>
      <div className="mt-3">
        {hasChanged && (
          <p role="status" className="mb-1 text-sm">
            {t('banChanged', { network: address })}
          </p>
        )}
        <p className="mb-1 text-sm text-muted">{t('atOnce')}</p>
        <div className="flex flex-wrap items-center gap-2">
          <Button
            size="sm"
            icon={<ShieldOff size={16} aria-hidden />}
            loading={lift.isPending}
            onClick={() => lift.mutate(bans)}
          >
            <span className="wrap-anywhere">
              {t(bans.some(({ route_id: id }) => id === null) ? 'unbanEverywhere' : 'unban', {
                network: namesOf(bans),
              })}
            </span>
          </Button>
          {bans.map((ban) => {
            const text = sayBan(ban, route.domain_name);
            return (
              <span key={ban.id} className="min-w-0 text-sm text-muted wrap-anywhere">
                {bans.length > 1 ? labelled(ban.network, text) : text}
              </span>
            );
          })}
        </div>
      </div>
      <CauseLink bans={bans} logged={logged} />
    </>
  );
}
