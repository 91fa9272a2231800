import { expect, it } from 'vitest';
import { allowHref, banHref } from '../domain/traffic/address-hrefs';
import { readAllowListSearch } from '../features/bans/allowed/allow-list-search';
import { readBansSearch } from '../features/bans/bans-search';

const ID = '0190f3a0-0000-7000-8000-000000000001';
const rawOf = (href: string) => {
  const raw = Object.fromEntries(new URLSearchParams(href.split('?')[1]));
  return { ...raw, add: raw.add === 'true' };
};

it.each(['198.41.128.7', '2001:db8::1'])('leads to the forms with %s filled in', (address) => {
  expect(readBansSearch(rawOf(banHref(address, ID)))).toMatchObject({ add: true, address, domain: ID });
  expect(readBansSearch(rawOf(banHref(address))).domain).toBeUndefined();
  expect(readAllowListSearch(rawOf(allowHref(address)))).toMatchObject({ add: true, address });
});
