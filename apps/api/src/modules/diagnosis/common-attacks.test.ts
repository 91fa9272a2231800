import { COMMON_ATTACKS, type CommonAttack } from '@cordon/contract';
import type { TestAttack } from '@cordon/plugin-kit';
import { defaultEntry } from '@cordon/plugin-kit/schema';
import { tryAttacks } from '@cordon/plugin-kit/testing';
import { findDefinition } from '@cordon/plugins/definitions';
import { handlers } from '@cordon/plugins/handlers';
import { remedies } from '@cordon/plugins/remedies';
import { expect, it } from 'vitest';
import { COMMON_ATTACK_REQUESTS } from './common-attacks.ts';

const ordinary = ['/', '/search?q=union+station&sort=select', '/environment', '/git/config', '/a?b=c%27d'];

/** What plugins do about a target once they have their remedy of the attack; none where none has one. */
function verdictsOf(attack: CommonAttack, targets: readonly Pick<TestAttack, 'request'>[]) {
  return Object.entries(remedies).flatMap(([plugin, remedy]) => {
    const definition = findDefinition(plugin);
    const handler = handlers[plugin]?.handler;
    if (!definition || !handler) return [];
    const { schema } = definition;
    const config: unknown = remedy(schema.parse(defaultEntry(definition).config) as never, attack, 'mine');
    if (config === undefined) return [];
    const attacks = targets.map(({ request }) => ({ message: '', params: {}, request }));
    return tryAttacks(handler, schema.parse(config), attacks).map((verdict) => verdict?.kind ?? 'pass');
  });
}

it('has a request for each attack that every site meets', () => {
  expect(COMMON_ATTACK_REQUESTS.map(({ name }) => name)).toEqual([...COMMON_ATTACKS]);
});

// nginx itself refuses a path that leads above the root.
it.each(COMMON_ATTACK_REQUESTS.filter(({ name }) => name !== 'path_traversal'))(
  'the remedy of $name stops it, and no ordinary request',
  ({ name, method, target, headers }) => {
    expect(verdictsOf(name, [{ request: { method, target, headers } }])).toEqual(['block']);
    const requests = ordinary.map((one) => ({
      request: { target: one, headers: [{ name: 'User-Agent', value: 'Mozilla/5.0 (X11; Linux x86_64)' }] },
    }));
    expect(verdictsOf(name, requests)).toEqual(ordinary.map(() => 'pass'));
  },
);
