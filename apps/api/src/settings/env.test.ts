import { describe, expect, it } from 'vitest';
import { EnvironmentError, parseEnvironment } from './env.ts';

const needed = {
  DATABASE_URL: 'postgres://cordon@127.0.0.1/cordon',
  CORDON_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
};
const faultsOf = (variables: Record<string, string>): string => {
  try {
    parseEnvironment(variables);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message;
    throw error;
  }
  return '';
};

describe('settings of the API', () => {
  it('take the documented defaults', () => {
    expect(parseEnvironment(needed)).toMatchObject({
      bind: '127.0.0.1',
      port: 8000,
      origin: 'http://127.0.0.1:8000',
      edgeDomain: 'edge.cordon.test',
      realm: 'cordon',
      logRetentionDays: 30,
      isDemo: false,
    });
  });
  it('keep the demo, where every name counts as proved, on this machine', () => {
    expect(faultsOf({ ...needed, CORDON_DEMO: '1', CORDON_BIND: '0.0.0.0' })).toMatch(/CORDON_BIND.*loopback/);
    expect(faultsOf({ ...needed, CORDON_DEMO: '1', CORDON_BIND: '::1' })).toBe('');
    expect(faultsOf({ ...needed, CORDON_BIND: '0.0.0.0' })).toBe('');
  });
  it('have no default for a secret, and tell every fault at once', () => {
    const faults = faultsOf({ CORDON_PORT: 'eighty', CORDON_LOG_RETENTION_DAYS: '1' });
    for (const name of ['DATABASE_URL', 'CORDON_SECRET_KEY', 'CORDON_PORT', 'CORDON_LOG_RETENTION_DAYS'])
      expect(faults).toContain(name);
  });
  it.each([
    ['CORDON_PORT', 'eighty', 'must be a whole number from 0 to 65535'],
    ['CORDON_EDGE_HTTP_PORT', '0', 'must be a whole number from 1 to 65535'],
    ['CORDON_LOG_RETENTION_DAYS', '2.5', 'must be a whole number from 2 to 3650'],
    ['CORDON_LOG_RETENTION_DAYS', '4000', 'must be a whole number from 2 to 3650'],
    ['CORDON_LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['CORDON_UPSTREAM_ALLOW', '10.0.0.1', 'has "10.0.0.1", which is not address:port'],
    ['CORDON_RESOLVER', 'dns.example', 'has "dns.example", which is not an address or address:port'],
    // Node ends the process over it.
    ['CORDON_RESOLVER', '192.0.2.1:0', 'has "192.0.2.1:0", which is not an address or address:port'],
  ])('say of %s=%s what is expected', (name, value, fault) =>
    expect(faultsOf({ ...needed, [name]: value })).toBe(`Settings are wrong:\n  ${name} ${fault}.`),
  );
  it('take name servers with and without a port, IPv6 in brackets or not', () => {
    const text = '192.0.2.1, 192.0.2.1:5353, 2001:db8::1, [2001:db8::1], [2001:db8::1]:5353';
    expect(parseEnvironment({ ...needed, CORDON_RESOLVER: text }).resolver).toEqual([
      { address: '192.0.2.1', port: 53 },
      { address: '192.0.2.1', port: 5353 },
      { address: '2001:db8::1', port: 53 },
      { address: '2001:db8::1', port: 53 },
      { address: '2001:db8::1', port: 5353 },
    ]);
  });
  it('never repeat a secret', () =>
    expect(faultsOf({ ...needed, CORDON_SECRET_KEY: 'hunter2' })).not.toContain('hunter2'));
  it('take an empty variable for one that is not set', () =>
    expect(parseEnvironment({ ...needed, CORDON_RESOLVER: '' }).resolver).toEqual([]));
  it('take both keys of reCAPTCHA or none, and where it is', () => {
    const keys = { CORDON_RECAPTCHA_SITE_KEY: 's'.repeat(40), CORDON_RECAPTCHA_SECRET_KEY: 'k'.repeat(40) };
    expect(parseEnvironment(needed).recaptcha).toBeUndefined();
    const { CORDON_RECAPTCHA_SITE_KEY: site, CORDON_RECAPTCHA_SECRET_KEY: secret } = keys;
    expect(faultsOf({ ...needed, CORDON_RECAPTCHA_SITE_KEY: site })).toMatch(/CORDON_RECAPTCHA_SECRET_KEY is not set/);
    expect(faultsOf({ ...needed, CORDON_RECAPTCHA_SECRET_KEY: secret })).toMatch(
      /CORDON_RECAPTCHA_SITE_KEY is not set/,
    );
    const fault = faultsOf({ ...needed, ...keys, CORDON_RECAPTCHA_SECRET_KEY: 'a secret with blanks in it' });
    expect(fault).toMatch(/CORDON_RECAPTCHA_SECRET_KEY must be a key/);
    expect(fault).not.toContain('a secret with');
    const elsewhere = { CORDON_RECAPTCHA_VERIFY_URL: 'https://www.recaptcha.net/recaptcha/api/siteverify' };
    expect(parseEnvironment({ ...needed, ...keys, ...elsewhere }).recaptcha).toEqual({
      site_key: site,
      secret_key: secret,
      script_url: 'https://www.google.com/recaptcha/api.js',
      verify_url: 'https://www.recaptcha.net/recaptcha/api/siteverify',
    });
  });
});
