import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  type AddressDialog,
  type AskedAddress,
  bansOf,
  canBeListed,
  wasBanned,
} from '../../domain/traffic/address-dialog';
import type { RequestMatch } from '../../domain/traffic/request-match';
import { Button, buttonClass } from '../../ui/button';
import { BarList } from '../../ui/charts/bar-list';
import { useFormat } from '../../ui/format';
import { latestRequestsOptions } from './queries';

const SHOWN = 8;

/** What occurs most often, with how often it does. */
function mostFrequent<Thing>(things: readonly Thing[], idOf: (thing: Thing) => string) {
  const counts = new Map<string, { id: string; thing: Thing; value: number }>();
  for (const thing of things) {
    const id = idOf(thing);
    const known = counts.get(id);
    counts.set(id, { id, thing, value: (known?.value ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.value - a.value).slice(0, SHOWN);
}

/** Short enough for its line on a phone. */
const isIpv4 = (address: string) => !address.includes(':');

interface AddressActionsProps {
  address: string;
  isBanned: boolean;
  onAsk: (asked: AskedAddress) => void;
}

/** One width for both words, so that the numbers before them stay in line. */
const WIDTH = 'w-16 !px-0';

const NO_ACTIONS = (
  <>
    <span className="w-16 shrink-0" />
    <span className="w-16 shrink-0" />
  </>
);

function AddressActions({ address, isBanned, onAsk }: AddressActionsProps) {
  const t = useTranslations('traffic.top');
  return (
    <>
      {isBanned ? (
        <a
          href={bansOf(address)}
          aria-label={t('unbanOf', { address })}
          className={buttonClass('secondary', 'sm', WIDTH)}
        >
          {t('unban')}
        </a>
      ) : (
        <Button
          size="sm"
          className={WIDTH}
          aria-label={t('banOf', { address })}
          onClick={() => onAsk({ action: 'ban', address })}
        >
          {t('ban')}
        </Button>
      )}
      <Button
        size="sm"
        className={WIDTH}
        aria-label={t('allowOf', { address })}
        onClick={() => onAsk({ action: 'allow', address })}
      >
        {t('allow')}
      </Button>
    </>
  );
}

/** Who sent the last requests of a kind, and what they asked for. */
export function LatestSources({ match, AddressDialog }: { match: RequestMatch; AddressDialog: AddressDialog }) {
  const t = useTranslations('traffic.top');
  const format = useFormat();
  const { data: requests } = useQuery(latestRequestsOptions(match));
  const [asked, setAsked] = useState<AskedAddress>();
  if (!requests || requests.length === 0) return null;
  const addresses = mostFrequent(requests, (one) => one.client_address);
  const paths = mostFrequent(requests, (one) => `${one.domain_name}${one.path}`);
  const lists = [
    {
      label: t('addresses'),
      items: addresses.map(({ id, thing, value }) => ({
        id,
        value,
        actions:
          canBeListed(id) || wasBanned(thing) ? (
            <AddressActions address={id} isBanned={wasBanned(thing)} onAsk={setAsked} />
          ) : (
            NO_ACTIONS
          ),
        label: (
          <>
            <span className={isIpv4(id) ? 'whitespace-nowrap' : undefined}>{id}</span>{' '}
            {thing.country !== '' && (
              <span className="text-sm whitespace-nowrap text-muted">{format.country(thing.country)}</span>
            )}
          </>
        ),
      })),
    },
    {
      label: t('paths'),
      items: paths.map(({ id, thing, value }) => ({
        id,
        value,
        label: (
          <>
            {thing.path} <span className="text-sm text-muted">{thing.domain_name}</span>
          </>
        ),
      })),
    },
  ];
  return (
    <>
      {lists.map(({ label, items }) => (
        <section key={label} className="pt-4">
          <h3 className="font-semibold">{label}</h3>
          <p className="mb-2 text-sm text-muted">{t('latest', { count: requests.length })}</p>
          <BarList label={label} items={items} formatValue={format.compact} total={requests.length} />
        </section>
      ))}
      {asked && <AddressDialog {...asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
