import { parseAddress, parseRange, rangeContains, specialAddressKind } from '@cordon/contract';
import { addressListNotices } from '@cordon/plugin-kit/address-list';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { deploymentConfigOptions } from '../../app/deployment-config';
import { Callout } from '../../domain/form/callout';

const SHOWN_MAX = 3;

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

/** What may surprise in addresses that are right: bans of oneself, bans that do nothing, and ranges that are wider than they look. */
export function NetworkNotices({ networks }: { networks: readonly string[] }) {
  const t = useTranslations('bans.add.notices');
  const own = useOwnNetwork(networks);
  const notices = addressListNotices('networks', networks);
  if (notices.length === 0 && !own) return null;
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
      </ul>
    </Callout>
  );
}
