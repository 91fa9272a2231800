import { describe, expect, it } from 'vitest';
import { StartFailure } from './process/start-failure.ts';
import { readSettings } from './settings.ts';

function faults(environment: Record<string, string>): string[] {
  try {
    readSettings(environment, '/srv/cordon');
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    return error.message.split('\n');
  }
  return [];
}

describe('readSettings', () => {
  it('has the documented defaults, and takes an empty value as not set', () => {
    expect(readSettings({ CORDON_PORT: '', CORDON_BIND: ' ' }, '/srv/cordon')).toEqual({
      dataDirectory: '/srv/cordon/.cordon',
      bind: '127.0.0.1',
      port: 8000,
      edgeHttpPort: 8080,
      edgeHttpsPort: 8443,
      dnsPort: 5300,
      edgeDomain: 'edge.cordon.test',
      origin: 'http://127.0.0.1:8000',
      databaseUrl: undefined,
      clickhouseUrl: undefined,
      secretKey: undefined,
      upstreamAllow: [],
      absentParts: [],
    });
  });

  it('makes the origin of an address that can be connected to', () => {
    expect(readSettings({ CORDON_BIND: '0.0.0.0', CORDON_PORT: '9000' }, '/').origin).toBe('http://127.0.0.1:9000');
    expect(readSettings({ CORDON_BIND: '::' }, '/').origin).toBe('http://[::1]:8000');
    expect(readSettings({ CORDON_ORIGIN: 'https://console.example/' }, '/').origin).toBe('https://console.example');
  });

  it('reports every fault at once, each with its setting', () => {
    const found = faults({
      CORDON_PORT: '70000',
      CORDON_BIND: 'everywhere',
      CORDON_EDGE_HTTP_PORT: '1e3',
      CORDON_UPSTREAM_ALLOW: '10.0.0.1',
      DATABASE_URL: 'mysql://db',
    });
    for (const name of [
      'CORDON_PORT',
      'CORDON_BIND',
      'CORDON_EDGE_HTTP_PORT',
      'CORDON_UPSTREAM_ALLOW',
      'DATABASE_URL',
    ]) {
      expect(found.filter((fault) => fault.startsWith(name))).toHaveLength(1);
    }
  });

  it('never repeats a secret it refuses', () => {
    const [fault] = faults({ CORDON_SECRET_KEY: 'c2hvcnQtc2VjcmV0' });
    expect(fault).toMatch(/^CORDON_SECRET_KEY does not hold 32 bytes/);
    expect(fault).not.toContain('c2hvcnQtc2VjcmV0');
  });

  it('refuses two parts on one port', () => {
    expect(faults({ CORDON_EDGE_HTTP_PORT: '8000' })).toEqual([
      'CORDON_EDGE_HTTP_PORT and CORDON_PORT are both 8000: give each its own port.',
    ]);
  });

  it('accepts exact address and port pairs only, so that no name can be pointed elsewhere later', () => {
    expect(readSettings({ CORDON_UPSTREAM_ALLOW: '127.0.0.1:81, [::1]:82' }, '/').upstreamAllow).toEqual([
      '127.0.0.1:81',
      '[::1]:82',
    ]);
    expect(faults({ CORDON_UPSTREAM_ALLOW: 'localhost:81' })).toHaveLength(1);
  });
});

it('keeps the demo, where every name counts as proved, on this machine', () => {
  for (const bind of ['0.0.0.0', '::', '192.168.1.2'])
    expect(() => readSettings({ CORDON_BIND: bind }, '/srv', true)).toThrow(/CORDON_BIND[^\n]*loopback/);
  for (const bind of ['127.0.0.1', '127.0.0.2', '::1', undefined])
    expect(readSettings({ CORDON_BIND: bind }, '/srv', true).bind).toBe(bind ?? '127.0.0.1');
  expect(readSettings({ CORDON_BIND: '0.0.0.0' }, '/srv').bind).toBe('0.0.0.0');
});
