import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EdgeShields } from '@cordon/contract/edge-config';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeShieldCertificate, shieldName, signingKey } from './shield-certificate.ts';
import { Shields } from './shields.ts';

const keyOf = (text: string) => Buffer.from(text.padEnd(32)).toString('base64url');
let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'cordon-shields-')), 'shields');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const of = (czone: string, isSelf: boolean, isLive = true): EdgeShields => ({
  czone,
  key: keyOf(czone),
  nodes: [
    { address: '2001:db8::7', port: 443, is_live: isLive, is_self: false },
    { address: '203.0.113.7', port: 8443, is_live: true, is_self: isSelf },
  ],
});

it('makes the same certificate of a key each time, for the name of the czone alone', () => {
  const [first, second] = [makeShieldCertificate('vip01', keyOf('a')), makeShieldCertificate('vip01', keyOf('a'))];
  expect(second).toEqual(first);
  const certificate = new X509Certificate(first.certificate);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect([certificate.checkHost(shieldName('vip01')), certificate.checkHost(shieldName('vip02'))]).toEqual([
    'vip01.origin-shield.invalid',
    undefined,
  ]);
  const other = new X509Certificate(makeShieldCertificate('vip01', keyOf('b')).certificate);
  expect(certificate.verify(other.publicKey)).toBe(false);
  expect(other.subject).not.toBe(certificate.subject);
});

it('tells a node the shields that live, and a shield what it proves itself by, each only that', () => {
  const shields = new Shields(folder, undefined);
  const own_addresses = ['203.0.113.7'];
  const told = shields.toRunner({ own_addresses, shields: [of('vip01', false, false), of('vip02', true)] });
  expect(told).toEqual({
    shields: {
      vip01: {
        name: 'vip01.origin-shield.invalid',
        key: signingKey(keyOf('vip01')),
        nodes: [{ address: '203.0.113.7', port: 8443 }],
      },
      vip02: {
        name: 'vip02.origin-shield.invalid',
        key: signingKey(keyOf('vip02')),
        certificate: expect.stringContaining('BEGIN CERTIFICATE'),
        private_key: expect.stringContaining('BEGIN PRIVATE KEY'),
      },
    },
    peer_addresses: own_addresses,
  });
  expect(shields.toRunner({ own_addresses, shields: [of('vip01', false)] }).shields?.vip01?.nodes?.[0]?.address).toBe(
    '[2001:db8::7]',
  );
  expect([shields.toRunner({ own_addresses }), shields.toRunner({ own_addresses, shields: [] })]).toEqual([{}, {}]);
  expect(shields.toRunner({ own_addresses, shields: [of('../vip', false)] })).toEqual({});
});

it('has nginx trust the certificates of shields that it asks, and no longer than it does', () => {
  const shields = new Shields(folder, undefined);
  const certificates = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.pem'))
      .map((name) => readFileSync(join(folder, name), 'utf8'));
  shields.toRunner({ own_addresses: [], shields: [of('vip01', false), of('vip02', true)] });
  expect(certificates()).toEqual([makeShieldCertificate('vip01', keyOf('vip01')).certificate]);
  expect(readdirSync(folder).some((name) => /^[\da-f]{8}\.0$/.test(name))).toBe(true);
  shields.toRunner({ own_addresses: [], shields: [] });
  expect(existsSync(folder) ? certificates() : []).toEqual([]);
});
