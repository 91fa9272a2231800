import { type FoundDomain, parseDomainName } from '@cordon/contract';
import type { UseFormReturn } from 'react-hook-form';
import { api } from '../../../app/api-client';
import type { AddDomainValues } from './add-domain-values';
import type { IsCurrent } from './use-passage';

async function findOwn(name: string): Promise<FoundDomain['route']> {
  try {
    const { domains } = (await api.findDomains({ query: {}, body: { names: [name] } })).result;
    // What a wildcard answers for may still be added by itself.
    return domains.find(({ found }) => found === 'main' || found === 'shadow_domain')?.route ?? null;
  } catch {
    // Where nothing could be found out, saving says it.
    return null;
  }
}

/** Whether the name is free in the account itself; where it is not, its field says so, with the domain that has it. */
export async function admitName(form: UseFormReturn<AddDomainValues>, isCurrent: IsCurrent): Promise<boolean> {
  const read = parseDomainName(form.getValues('domain_name'));
  const own = read.ok ? await findOwn(read.name) : null;
  // What was typed meanwhile is another name: it is for the next press.
  if (!isCurrent()) return false;
  if (!own) return true;
  form.setError(
    'domain_name',
    {
      type: 'DOMAIN_NAME_YOURS',
      message: 'DOMAIN_NAME_YOURS',
      types: { route_id: own.id, route_name: own.domain_name_unicode },
    },
    { shouldFocus: true },
  );
  return false;
}
