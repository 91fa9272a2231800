import { expect, it } from 'vitest';
import { copyConfig, databaseConfig } from './pdns-config.ts';

const place = { bind: '127.0.0.1', port: 5300, privatePort: 20_000, socketDirectory: '/tmp/x' };
const settingsOf = (text: string) =>
  Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

it('hands PowerDNS the database as its URL says', () => {
  const url =
    'postgres://cordon_dns:pass_word@[2001:db8::5]:6432/cordon?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem';
  expect(settingsOf(databaseConfig(place, url))).toMatchObject({
    launch: 'gpgsql',
    'gpgsql-host': '2001:db8::5',
    'gpgsql-port': '6432',
    'gpgsql-dbname': 'cordon',
    'gpgsql-user': 'cordon_dns',
    'gpgsql-password': 'pass_word',
    'gpgsql-extra-connection-parameters':
      'connect_timeout=2 application_name=cordon-dns sslmode=verify-full sslrootcert=/etc/ca.pem',
  });
});

it('listens on the public address and on one of its own', () => {
  const address = (bind: string) => settingsOf(copyConfig({ ...place, bind }, '/x/named.conf'))['local-address'];
  expect(address('127.0.0.1')).toBe('127.0.0.1:5300,127.0.0.1:20000');
  expect(address('2001:db8::1')).toBe('[2001:db8::1]:5300,127.0.0.1:20000');
  expect(address('::')).toBe('0.0.0.0:5300,[::]:5300,127.0.0.1:20000');
});

it('opens nothing to the world but answers', () => {
  for (const text of [databaseConfig(place, 'postgres://a:b@h/d'), copyConfig(place, '/x/named.conf')]) {
    expect(settingsOf(text)).toMatchObject({
      'disable-axfr': 'yes',
      'enable-lua-records': 'no',
      'expand-alias': 'no',
      dnsupdate: 'no',
      api: 'no',
      webserver: 'no',
      'version-string': 'anonymous',
      'server-id': 'disabled',
      'security-poll-suffix': '',
    });
  }
});

it('takes no line break into its configuration', () => {
  expect(() => databaseConfig(place, 'postgres://a:b%0Alaunch=pipe@h/d')).toThrow('gpgsql-password has a line break');
});
