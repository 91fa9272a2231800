import type { CacheFetch } from '@cordon/contract';

const MEMBER = /(?:^|,)\s*Cordon((?:\s*;[^,]*)?)(?=,|$)/g;

/** What Cordon's own member of a Cache-Status (RFC 9211) says; null where it has none. Nodes write it, so that quotes need no reading. */
export function readCacheStatus(field: string): CacheFetch['cache'] {
  const [, parameters] = [...field.matchAll(MEMBER)].at(-1) ?? [];
  if (parameters === undefined) return null;
  const said = new Map(
    parameters.split(';').map((text) => {
      const [name = '', value = ''] = text.trim().split('=');
      return [name, value.replaceAll('"', '')] as const;
    }),
  );
  const number = (name: string) => {
    const value = Number(said.get(name) ?? 'none');
    return Number.isInteger(value) ? value : null;
  };
  return {
    is_hit: said.has('hit'),
    forward: said.get('fwd') ?? null,
    forward_status: number('fwd-status'),
    is_stored: said.has('stored'),
    ttl: number('ttl'),
    detail: said.get('detail') ?? null,
  };
}
