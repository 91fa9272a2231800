import { describe, expect, it } from 'vitest';
import { sampleRoute, sampleSuspension } from '../testing/sample-route';
import { canSave, domainActions } from './domain-state';
import { siteUrl } from './site-url';

const operation = (state: 'running' | 'failed', action: 'deploy' | 'delete' = 'deploy') => ({
  id: '0190f3a0-0000-7000-8000-000000000777',
  action,
  state,
  started_at: '2026-11-20T10:00:00Z',
  finished_at: null,
  error: null,
});
const fresh = sampleRoute({
  status: 'deactivated',
  last_deployed: null,
  version_live: null,
  live: null,
  ownership_state: 'pending',
});

describe('a domain', () => {
  it('that was never deployed is deployed or deleted', () => {
    expect(domainActions(fresh)).toEqual({
      deploy: true,
      discard: false,
      resume: false,
      deactivate: false,
      delete: true,
    });
  });
  it('with a running operation takes no other action', () => {
    const route = sampleRoute({ operation: operation('running'), pending_changes: 2 });
    expect(Object.values(domainActions(route))).not.toContain(true);
  });
  it('whose deploy failed can be deployed again although nothing is pending', () => {
    const route = sampleRoute({ operation: operation('failed') });
    expect(domainActions(route).deploy).toBe(true);
  });
  it('that is deactivated is resumed', () => {
    const route = sampleRoute({ status: 'deactivated' });
    expect(domainActions(route)).toMatchObject({ deploy: false, resume: true, deactivate: false });
  });
  it.each(['running', 'deactivated'] as const)(
    'that is suspended is deleted or its draft given up, whatever else it is: %s',
    (status) => {
      const route = sampleRoute({
        status,
        suspension: sampleSuspension(),
        ownership_state: 'pending',
        pending_changes: 2,
        operation: operation('running'),
      });
      expect(siteUrl(route)).toBeUndefined();
      const free = { ...route, operation: null };
      expect(domainActions(free)).toEqual({
        deploy: false,
        discard: true,
        resume: false,
        deactivate: false,
        delete: true,
      });
      expect(domainActions({ ...free, suspension: sampleSuspension({ scope: 'account' }) }).discard).toBe(false);
    },
  );
  it('has a site to open only while visitors get it', () => {
    expect(siteUrl(sampleRoute())).toBe('http://www.example.com/');
    expect(siteUrl(sampleRoute({ status: 'deactivated' }))).toBeUndefined();
    expect(siteUrl(sampleRoute({ domain_name: '*.example.com' }))).toBeUndefined();
  });
});

it.each([
  ['nothing runs', {}, true],
  ['an operation runs', { operation: operation('running') }, false],
  ['the last one failed', { operation: operation('failed') }, true],
  ['the domain is gone', { status: 'deleted' }, false],
] as const)('where %s says whether its draft can be saved', (_, change, can) => {
  expect(canSave(sampleRoute(change))).toBe(can);
});
