import { parseAddress, parseRange, rangeContains, specialAddressKind } from '@cordon/contract';
import { addressListNotices, mergeEntries } from '@cordon/plugin-kit/address-list';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { deploymentConfigOptions } from '../../../app/deployment-config';
import { Callout } from '../../../domain/form/callout';

const SHOWN_MAX = 3;
const NONE: readonly string[] = [];

/** The first network that the customer's own address is in; of one that no visitor comes from that is said anyway. */
function useOwnNetwork(networks: readonly string[]): { network: string; address: string } | undefined {
  // It changes with the place that one works from.
  const address = useQuery({ ...deploymentConfigOptions, staleTime: 0 }).data?.client_address;
  const own = address === undefined ? undefined : parseAddress(address);
  if (address === undefined || own === undefined || specialAddressKind(own) !== undefined) return undefined;
  const network = networks.find((entry) => {
    const range = parseRange(entry);
    return range !== undefined && rangeContains(range, own);
  });
  return network === undefined ? undefined : { network, address };
}

interface NetworkNoticesProps {
  /** Those of the entries that are addresses or ranges. */
  networks: readonly string[];
  /** Of a ban, which may lock the customer out. */
  isBan?: boolean;
}

/** What may surprise in entries that are right: a ban of oneself, what is left out, and ranges that are wider than they look. */
export function NetworkNotices({ networks, isBan = false }: NetworkNoticesProps) {
  const t = useTranslations('bans.notices');
  const own = useOwnNetwork(isBan ? networks : NONE);
  const { notices, merged } = useMemo(
    () => ({ notices: addressListNotices('networks', networks), merged: mergeEntries(networks).merged }),
    [networks],
  );
  if (notices.length === 0 && merged === 0 && !own) return null;
  return (
    <Callout tone="warning" role="status">
      <ul className="flex flex-col gap-1">
        {own && <li className="font-medium">{own.network === own.address ? t('own', own) : t('ownWithin', own)}</li>}
        {notices.slice(0, SHOWN_MAX).map(({ path, message, params }) => (
          <li key={path}>
            {message === 'notices.special_address'
              ? t('special_address', { entry: String(params.entry), kind: String(params.kind) })
              : t('host_bits', { entry: String(params.entry), range: String(params.range) })}
          </li>
        ))}
        {notices.length > SHOWN_MAX && <li>{t('more', { count: notices.length - SHOWN_MAX })}</li>}
        {merged > 0 && <li>{t('merged', { count: merged })}</li>}
      </ul>
    </Callout>
  );
}
