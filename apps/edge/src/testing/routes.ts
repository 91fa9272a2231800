import { randomUUID } from 'node:crypto';
import type { EdgeRoute, EdgeSettings, EdgeTarget, EdgeUpstream } from '@cordon/contract/edge-config';

export const SITE_KEY = 'site-key-of-the-tests';
export const SECRET_KEY = 'secret-key-of-the-tests';

export function testSettings(): EdgeSettings {
  return {
    preview_key: Buffer.from('preview key of the tests, 32 byte').toString('base64url'),
    probe_key: 'probe-key-of-the-tests',
    default_brand: 'cordon',
    brands: {
      cordon: {
        name: 'Cordon',
        primary_color: '#2f6fed',
        abuse_contact: 'abuse@cordon.test',
        console_url: 'https://console.cordon.test',
        hides_provider: false,
      },
      partner: {
        name: 'Partner Secret Name',
        primary_color: '#aa3300',
        abuse_contact: 'abuse@partner.test',
        console_url: 'https://console.partner.test',
        hides_provider: true,
      },
    },
    cdn_loop_id: 'cordon',
    challenge_keys: ['challenge key of today', 'challenge key of tomorrow', 'challenge key of yesterday'],
    secret_keys: { free01: Buffer.from('key of the czone of the tests 32').toString('base64url') },
    recaptcha: {
      site_key: SITE_KEY,
      secret_key: SECRET_KEY,
      script_url: 'https://www.google.com/recaptcha/api.js',
      // Nothing listens there.
      verify_url: 'http://127.0.0.1:9/recaptcha/api/siteverify',
    },
    own_addresses: ['127.0.0.1'],
  };
}

export function testTarget(port: number | null, more: Partial<EdgeTarget> = {}): EdgeTarget {
  return { host: '127.0.0.1', port, weight: 1, backup: false, ...more };
}

export function testUpstream(targets: EdgeTarget[], more: Partial<EdgeUpstream> = {}): EdgeUpstream {
  return {
    protocol: 'http',
    targets,
    tries: 3,
    connect_timeout_ms: 1000,
    send_timeout_ms: 5000,
    read_timeout_ms: 5000,
    fail_timeout_ms: 10_000,
    max_fails: 3,
    ...more,
  };
}

/** A verified route of a VIP account; everything can be replaced. `hosts` may be plain names. */
export function testRoute(
  given: Omit<Partial<EdgeRoute>, 'hosts'> & { hosts: readonly (string | EdgeRoute['hosts'][number])[] },
): EdgeRoute {
  return {
    id: randomUUID(),
    account_id: randomUUID(),
    czone: 'free01',
    version: 1,
    tier: 'vip',
    brand: 'cordon',
    traffic_action: 'upstream',
    upstream: null,
    plugins: [],
    ...given,
    hosts: given.hosts.map((host) => (typeof host === 'string' ? { name: host, verified: true } : host)),
  };
}
