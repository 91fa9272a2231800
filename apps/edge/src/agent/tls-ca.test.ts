import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestAuthority } from '../testing/certificates.ts';
import { type TlsCaSet, TlsCaSlots } from './tls-ca.ts';

const authority = new TestAuthority('Some Authority');
let top: string;
const open = () => new TlsCaSlots(join(top, 'tls-ca'), undefined);
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'cordon-tls-ca-'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

let count = 0;
/** Different sets need no different certificates. */
const setOf = (accountId: string, tier: TlsCaSet['tier'] = 'vip'): TlsCaSet => ({
  pem: `${authority.pem}\n# ${++count}\n`,
  accountId,
  tier,
});
const many = (length: number, make: (at: number) => TlsCaSet) => Array.from({ length }, (_, at) => make(at));
const numbersOf = (slots: TlsCaSlots, sets: readonly TlsCaSet[]) => sets.map(({ pem }) => slots.slotOf(pem));
const refused = (slots: TlsCaSlots, sets: readonly TlsCaSet[]) =>
  numbersOf(slots, sets).filter((number) => number === undefined).length;

describe('places for sets of CA certificates', () => {
  it('are found by OpenSSL under the hash of the subject', async () => {
    const slots = open();
    const set = setOf('a');
    await slots.prepare([set]);
    const files = readdirSync(join(top, 'tls-ca', String(slots.slotOf(set.pem))));
    expect(files.filter((name) => /^[0-9a-f]{8}\.0$/.test(name))).toHaveLength(1);
  });

  it('are not used up by one account, however often it changes its set', async () => {
    const slots = open();
    const greedy = many(40, () => setOf('greedy', 'free'));
    const paying = many(40, () => setOf('paying'));
    await slots.prepare([...greedy, ...paying]);
    expect([refused(slots, greedy), refused(slots, paying)]).toEqual([36, 16]);
    const others = many(20, (at) => setOf(`other-${at}`, 'free'));
    await slots.prepare(others);
    expect(refused(slots, others)).toBe(0);
    expect(slots.isShort).toBe(true);
  });

  it('are left to paying accounts, however many free ones there are', async () => {
    const slots = open();
    const free = many(100, (at) => setOf(`free-${at}`, 'free'));
    const paying = many(64, (at) => setOf(`paying-${at % 8}`));
    await slots.prepare([...free, ...paying]);
    expect([refused(slots, free), refused(slots, paying)]).toEqual([36, 0]);
  });

  it('are given back: those in use keep theirs, and no number ever belongs to another set', async () => {
    const slots = open();
    const former = many(100, (at) => setOf(`account-${at}`));
    await slots.prepare(former);
    expect(slots.isShort).toBe(true);
    const used = numbersOf(slots, former);
    const inUse = former.slice(0, 3);
    slots.renew(new Set(inUse.map(({ pem }) => pem)));
    const late = setOf('late');
    await slots.prepare([late]);
    expect(slots.slotOf(late.pem)).toBeUndefined();
    slots.admitNew();
    expect(slots.isShort).toBe(false);
    expect(numbersOf(slots, inUse)).toEqual(used.slice(0, 3));
    const fresh = [late, ...many(5, (at) => setOf(`fresh-${at}`)), former[50] as TlsCaSet];
    await slots.prepare(fresh);
    const given = numbersOf(slots, fresh);
    expect(new Set([...used, ...given]).size).toBe(used.length + fresh.length);
    expect(given.every((number) => slots.numbers.includes(number ?? -1))).toBe(true);
  });

  it('are known to the next agent, with the numbers of nginx.conf', async () => {
    const former = open();
    const sets = many(8, (at) => setOf(`account-${at}`));
    await former.prepare(sets);
    former.renew(new Set([sets[7]?.pem ?? '']));
    former.admitNew();
    const later = open();
    expect(later.numbers).toEqual(former.numbers);
    expect(numbersOf(later, sets)).toEqual(numbersOf(former, sets));
    const added = setOf('added');
    await later.prepare([added]);
    expect(later.slotOf(added.pem)).toBe(128);
    expect(numbersOf(later, sets).filter((number) => number !== undefined)).toEqual([7]);
  });

  it('are all free for an nginx that is started anew', async () => {
    const slots = open();
    const sets = many(8, (at) => setOf(`account-${at}`));
    await slots.prepare(sets);
    slots.reset();
    expect(refused(slots, sets)).toBe(8);
    await slots.prepare(sets);
    expect(refused(slots, sets)).toBe(0);
  });
});
