import { defaultParseSearch } from '@tanstack/react-router';
import { expect, it } from 'vitest';
import { matchSearch, readRequestMatch } from './request-match';

it.each([
  [{ blocked: true }, 'blocked=true'],
  [{ challenged: true }, 'challenged=true'],
  [{ status: '5xx' }, 'status=5xx'],
  [{ by: 'requests' }, 'by=requests'],
  [{ by: 'bytes' }, 'by=bytes'],
  [{ country: 'DE' }, 'country=DE'],
  [{ country: '' }, 'country='],
  [{ plugin: 'ip-restriction', reason: 'blocked_ip' }, 'plugin=ip-restriction&reason=blocked_ip'],
  [
    { plugin: 'challenge', reason: 'proof_required', challenged: true },
    'plugin=challenge&reason=proof_required&challenged=true',
  ],
  [{ plugin: '', reason: 'loop' }, 'plugin=&reason=loop'],
] as const)('%o is read as it was written', (match, search) => {
  expect(matchSearch(match)).toBe(search);
  expect(readRequestMatch(defaultParseSearch(search))).toEqual(match);
});

it.each([
  {},
  { blocked: 'yes' },
  { challenged: 'yes' },
  { country: 'de' },
  { status: '6xx' },
  { by: 'time' },
  { plugin: 'geoip' },
  { plugin: 'a b', reason: 'c' },
  { reason: 'loop' },
])('%o says nothing of requests', (search) => expect(readRequestMatch(search)).toBeUndefined());
