import { expect, it } from 'vitest';
import { testRoute } from '../testing/routes.ts';
import { EdgeState, type KnownRoute } from './edge-state.ts';

const ID = 'a-route';
/** A node that serves version 1 of a route; has it take over further ones, each before nginx has judged the one before. */
function served() {
  const state = new EdgeState();
  const take = (version: number): KnownRoute => {
    state.apply({ route_id: ID, revision: version, route: testRoute({ id: ID, version, hosts: ['a.test'] }) });
    return state.routes.get(ID) as KnownRoute;
  };
  state.accept(ID, take(1));
  const versionNow = () => state.routes.get(ID)?.route.version;
  return { state, take, versionNow };
}

it('brings back what nginx serves, under the revision of what it refused', () => {
  const { state, take, versionNow } = served();
  const refused = take(2);
  expect(state.refuse(ID, refused)).toMatchObject({ revision: 2, route: { version: 1 } });
  expect([versionNow(), state.routes.get(ID)?.revision]).toEqual([1, 2]);
});

it('leaves a newer change alone where an older one is refused late', () => {
  const { state, take, versionNow } = served();
  const older = take(2);
  take(3);
  expect(state.refuse(ID, older)).toBeUndefined();
  expect(versionNow()).toBe(3);
});

it('never takes one that was refused for the last good one', () => {
  const { state, take, versionNow } = served();
  const older = take(2);
  const newer = take(3);
  state.refuse(ID, older);
  expect(state.refuse(ID, newer)).toMatchObject({ route: { version: 1 } });
  expect(versionNow()).toBe(1);
});

it('brings back one that was accepted late, under a newer one that is refused', () => {
  const { state, take, versionNow } = served();
  const older = take(2);
  const newer = take(3);
  state.accept(ID, older);
  expect(state.refuse(ID, newer)).toMatchObject({ route: { version: 2 } });
  expect(versionNow()).toBe(2);
});
