import { sealSecret } from '@cordon/plugin-kit/sealed-secret';
import { expect, it } from 'vitest';
import { testRoute } from '../testing/routes.ts';
import { secretFault, withSecrets } from './route-secrets.ts';

const key = Buffer.alloc(32, 7);
const keys = { free01: key.toString('base64url') };
const handle = 'secret_aaaaaaaaaaaaaaaaaaaaaa';

function routeWith(sealed: string, id = 'account') {
  const plugins = [
    { name: 'links', config: { api_secret: handle, sleep_seconds: 5 }, secrets: { api_secret: sealed } },
    { name: 'other', config: { note: handle } },
  ];
  return testRoute({ hosts: ['a.test'], account_id: id, plugins });
}
const sealed = sealSecret(key, 'a secret of the tests', { accountId: 'account', handle });

it('gives nginx the secret, and leaves other plugins as they are', () => {
  expect(withSecrets(routeWith(sealed), keys)).toEqual([
    { name: 'links', config: { api_secret: 'a secret of the tests', sleep_seconds: 5 } },
    { name: 'other', config: { note: handle } },
  ]);
  expect(secretFault(routeWith(sealed), keys)).toBeUndefined();
});

it.each([
  ['was not sealed by the control plane', routeWith(''), keys],
  ['is of another account', routeWith(sealed, 'other'), keys],
  ['is of a czone whose key the node does not have', routeWith(sealed), { vip01: key.toString('base64url') }],
  ['comes before the settings', routeWith(sealed), undefined],
])('never takes the handle for the secret where it %s, and says so', (_, route, known) => {
  expect(withSecrets(route, known)[0]?.config).toMatchObject({ api_secret: '' });
  expect(secretFault(route, known)).toBe('a secret of links cannot be opened: what it protects is refused');
});
