import { handlers } from '@cordon/plugins/handlers';
import { expect, it } from 'vitest';
import type { RecordedRequest } from '../traffic/service.ts';
import { createReplayRun } from './replay-run.ts';

const NOW = 1_790_000_000;
const request = (path: string, query: string): RecordedRequest => ({
  request_id: 'a'.repeat(32),
  at: NOW * 1000,
  method: 'GET',
  scheme: 'https',
  host: 'www.example.com',
  path,
  query,
  client_address: '203.0.113.7',
  country: '',
  user_agent: '',
  referer: '',
  action: '',
  plugin: '',
});

it('takes a link whose signature the log does not have for signed, and judges its time', () => {
  const config = { path: '.*', api_secret: 'a-secret-of-the-tests', sleep_seconds: 0, expire_seconds: 300 };
  const run = createReplayRun({ name: 'seclink', enabled: true, config }, handlers, undefined, () => ({}));
  run.take(request('/a', `link_ts=${NOW - 10}&link_sig=REDACTED`));
  run.take(request('/a', `link_ts=${NOW - 400}&link_sig=REDACTED`));
  run.take(request('/a', ''));
  const { verdicts, rules } = run.result(true);
  expect(verdicts).toMatchObject({ pass: 1, block: 2 });
  expect(rules.map(({ reason }) => reason).sort()).toEqual(['link_expired', 'link_invalid']);
});

it('does not say of what has to wait now that it would pass', () => {
  const config = { path: '.*', api_secret: 'a-secret-of-the-tests', sleep_seconds: 5, expire_seconds: 300 };
  const run = createReplayRun({ name: 'seclink', enabled: true, config }, handlers, undefined, () => ({}));
  const blocked = { action: 'block', plugin: 'seclink' };
  run.take({ ...request('/a', `link_ts=${NOW - 10}&link_sig=REDACTED`), ...blocked });
  run.take({ ...request('/a', ''), ...blocked });
  expect(run.result(true)).toMatchObject({ verdicts: { challenge: 1, block: 1 }, newly_passed: 0, newly_blocked: 0 });
});
