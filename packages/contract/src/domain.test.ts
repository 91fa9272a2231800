import { describe, expect, it } from 'vitest';
import { fieldErrorsOf, operations, upstreams } from '../index.ts';

const errorsOf = (body: unknown) => {
  const result = operations.createRoute.body.safeParse(body);
  return result.success ? {} : fieldErrorsOf(result.error).fields;
};
const valid = {
  cname: 'abc.free01.edge.cordon.test',
  domain_name: 'www.example.com',
  upstreams: { protocol: 'http', targets: [{ host: '198.51.100.7' }] },
};
const withTargets = (protocol: string, targets: unknown[]) => ({ ...valid, upstreams: { protocol, targets } });

describe('adding a domain, by the schema', () => {
  it('takes a whole body and fills in defaults', () => {
    expect(operations.createRoute.body.parse(valid)).toMatchObject({
      traffic_action: 'upstream',
      plugins: [],
      upstreams: { targets: [{ host: '198.51.100.7', port: null, weight: 1, backup: false }] },
    });
  });
  it('names unknown fields', () => {
    expect(errorsOf({ ...valid, colour: 'red' })).toEqual({ colour: 'UNKNOWN_FIELD' });
    expect(errorsOf({ ...valid, ...JSON.parse('{"__proto__":1,"constructor":2}') })).toEqual(
      JSON.parse('{"__proto__":"UNKNOWN_FIELD","constructor":"UNKNOWN_FIELD"}'),
    );
    expect(errorsOf(withTargets('http', [{ host: '8.8.8.8', mask: 1 }]))).toEqual({
      'upstreams.targets.0.mask': 'UNKNOWN_FIELD',
    });
  });
  it('requires a protocol and a name', () => {
    for (const protocol of [undefined, null, ''])
      expect(errorsOf({ ...valid, upstreams: { protocol, targets: [] } })).toEqual({
        'upstreams.protocol': 'PROTOCOL_REQUIRED',
      });
    expect(errorsOf(withTargets('ftp', []))).toEqual({ 'upstreams.protocol': 'NOT_ALLOWED' });
    expect(errorsOf({ cname: 'x', upstreams: valid.upstreams })).toEqual({ domain_name: 'REQUIRED' });
  });
  it('says how long a text may be', () => {
    const result = operations.createRoute.body.safeParse({ ...valid, remarks: 'x'.repeat(1001) });
    expect(result.error && fieldErrorsOf(result.error)).toEqual({
      fields: { remarks: 'TOO_LONG' },
      params: { remarks: { maximum: 1000 } },
    });
  });
  it.each([
    ['10.0.0.0/8', 'UPSTREAM_MASK'],
    ['0.0.0.0/0', 'UPSTREAM_MASK_ZERO'],
    ['::/0', 'UPSTREAM_MASK_ZERO'],
    ['http://1.1.1.1', 'UPSTREAM_IS_URL'],
    ['origin.example.com:8080', 'UPSTREAM_HAS_PORT'],
    ['', 'UPSTREAM_REQUIRED'],
    ['not a host', 'UPSTREAM_INVALID'],
    ['*.example.com', 'UPSTREAM_INVALID'],
  ])('refuses the target %s with %s', (host, code) =>
    expect(errorsOf(withTargets('http', [{ host }]))).toEqual({ 'upstreams.targets.0.host': code }),
  );
  it('refuses a port with http_https', () =>
    expect(errorsOf(withTargets('http_https', [{ host: '8.8.8.8', port: 80 }]))).toEqual({
      'upstreams.targets.0.port': 'PORT_FORBIDDEN',
    }));
  it.each([-1, 5001, 0.5, '1', null])('refuses an origin connection limit of %j', (connection_limit) =>
    expect(errorsOf({ ...valid, upstreams: { ...valid.upstreams, connection_limit } })).toEqual({
      'upstreams.connection_limit': 'ORIGIN_LIMIT_RANGE',
    }),
  );
  it('takes a stored configuration that lacks the settings of the connection', () =>
    expect(upstreams.parse(valid.upstreams)).toMatchObject({
      connection_limit: 0,
      tls_verification: 'strict',
      tls_ca: null,
    }));
  it('refuses ports out of range', () =>
    expect(errorsOf(withTargets('http', [{ host: '8.8.8.8', port: 65536 }]))).toEqual({
      'upstreams.targets.0.port': 'PORT_RANGE',
    }));
  it('refuses the same target twice, however it is written', () => {
    expect(errorsOf(withTargets('http', [{ host: '8.8.8.8' }, { host: '8.8.8.8', port: 80 }]))).toEqual({
      'upstreams.targets.1.host': 'UPSTREAM_DUPLICATE',
    });
    expect(errorsOf(withTargets('https', [{ host: '2001:DB8::1' }, { host: '2001:db8:0::1', port: 443 }]))).toEqual({
      'upstreams.targets.1.host': 'UPSTREAM_DUPLICATE',
    });
    expect(errorsOf(withTargets('http', [{ host: '8.8.8.8', port: 81 }, { host: '8.8.8.8' }]))).toEqual({});
  });
  it('refuses backups without a main target', () =>
    expect(errorsOf(withTargets('http', [{ host: '8.8.8.8', backup: true }]))).toEqual({
      'upstreams.targets': 'UPSTREAM_ONLY_BACKUP',
    }));
});
