import { handlers } from '@cordon/plugins/handlers';
import { describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../traffic/service.ts';
import { createDraftReplayRun } from './draft-replay-run.ts';
import { createReplayJudge } from './replay-judge.ts';
import { createReplayRun } from './replay-run.ts';

const NOW = 1_790_000_000;
const request = (path: string, query: string): RecordedRequest => ({
  request_id: 'a'.repeat(32),
  at: NOW * 1000,
  method: 'GET',
  scheme: 'https',
  host: 'www.example.com',
  path,
  raw_path: '',
  query,
  client_address: '203.0.113.7',
  country: '',
  user_agent: '',
  referer: '',
  action: '',
  plugin: '',
});

it('judges a path as it was sent, as the edge does', () => {
  const when = {
    match: 'all',
    not: false,
    conditions: [{ field: 'path', test: 'is', values: ['/x'], ignore_case: false, not: false }],
  };
  const config = { black_rules: [{ name: 'only', action: 'block', enabled: true, when }] };
  const run = createReplayRun({ name: 'blackrules', enabled: true, config }, handlers, undefined, () => ({}));
  run.take(request('/h/x', ''));
  run.take({ ...request('/h/x', ''), raw_path: '//h/x' });
  expect(run.result(true).verdicts).toMatchObject({ block: 1, pass: 1 });
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

describe('conditions on what the log lacks', () => {
  const header = (more: object = {}) => ({ field: 'header', name: 'Accept', test: 'exists', not: false, ...more });
  const path = (value: string) => ({
    ...{ field: 'path', test: 'is', ignore_case: false, not: false },
    values: [value],
  });
  const argument = (more: object) => ({
    ...{ field: 'argument', name: 'token', not: false, ignore_case: false },
    ...more,
  });
  const query = (more: object) => ({ field: 'query', test: 'contains', ignore_case: false, not: false, ...more });
  const rule = (name: string, conditions: object[], more: object = {}, when: object = {}) => ({
    ...{ name, action: 'block', enabled: true, ...more },
    when: { match: 'all', not: false, conditions, ...when },
  });
  const entry = (rules: object[]) => ({ name: 'blackrules', enabled: true, config: { black_rules: rules } });
  function replay(rules: object[], requests: RecordedRequest[]) {
    const run = createReplayRun(entry(rules), handlers, undefined, () => ({}));
    for (const one of requests) run.take(one);
    return run.result(true);
  }
  const pages = [request('/a', ''), request('/b', '')];

  it('are counted as not known, neither as passing nor as blocked', () => {
    const asked = { field: 'header', name: 'Accept' };
    for (const not of [false, true]) {
      const result = replay([rule('any', [header({ not })])], pages);
      expect(result.verdicts).toMatchObject({ block: 0, pass: 0, unknown: 2 });
      expect(result.rules).toEqual([]);
      expect(result.unknown_rules).toEqual([{ rule: 'any', verdict: 'block', requests: 2, fields: [asked] }]);
    }
    expect(replay([rule('any', [{ field: 'cookie', name: 'a', test: 'exists', not: false }])], pages)).toMatchObject({
      unknown_rules: [{ requests: 2, fields: [{ field: 'cookie', name: 'a' }] }],
    });
    expect(replay([rule('any', [{ field: 'asn', values: [1], not: false }])], pages)).toMatchObject({
      unknown_rules: [{ requests: 2, fields: [{ field: 'asn', name: '' }] }],
    });
  });

  it.each<[string, object[], object]>([
    ['a path that does not match', [rule('one', [header(), path('/a')])], { block: 0, pass: 1, unknown: 1 }],
    [
      'another condition that is enough',
      [rule('one', [header(), path('/a')], {}, { match: 'any' })],
      { block: 1, unknown: 1 },
    ],
    ['a later rule that does the same', [rule('one', [header()]), rule('two', [path('/a')])], { block: 1, unknown: 1 }],
    ['an earlier rule', [rule('two', [path('/a')]), rule('one', [header()])], { block: 1, unknown: 1 }],
    [
      'a later rule, unless it does something else',
      [rule('one', [header()], { action: 'allow' }), rule('two', [path('/a')])],
      { block: 0, unknown: 2 },
    ],
    [
      'a later rule, whatever is logged',
      [rule('one', [header()], { action: 'log' }), rule('two', [path('/a')])],
      { block: 1, unknown: 1 },
    ],
    ['a group turned round', [rule('one', [header(), path('/c')], {}, { not: true })], { block: 2, unknown: 0 }],
    ['a field that the log has', [rule('one', [header({ name: 'Referer' })])], { pass: 2, unknown: 0 }],
  ])('leave the number to what is known: %s', (_, rules, verdicts) => {
    expect(replay(rules, pages).verdicts).toMatchObject(verdicts);
  });

  it('are those on values and queries that were left out', () => {
    const kept = [request('/a', 'token=REDACTED&a=%24%7Bjndi'), request('/b', 'a=b'), request('/c', 'REDACTED')];
    const counted = (condition: object) => {
      const { block, pass, unknown } = replay([rule('one', [condition])], kept).verdicts;
      return { block, pass, unknown };
    };
    expect(counted(argument({ test: 'is', values: ['x'] }))).toEqual({ block: 0, pass: 1, unknown: 2 });
    expect(counted(argument({ test: 'exists' }))).toEqual({ block: 1, pass: 1, unknown: 1 });
    expect(counted(query({ values: ['${jndi'] }))).toEqual({ block: 1, pass: 1, unknown: 1 });
    expect(counted(query({ values: ['${jndi'], not: true }))).toEqual({ block: 1, pass: 1, unknown: 1 });
    expect(counted(query({ test: 'is', values: ['a=b'] }))).toEqual({ block: 1, pass: 0, unknown: 2 });
  });

  it('are a difference between a draft and what is live only where they are not in both', () => {
    const draftReplay = (live: object[], draft: object[]) => {
      const judgeOf = (rules: object[]) => createReplayJudge([entry(rules)], handlers, undefined, () => ({}));
      const run = createDraftReplayRun(judgeOf(live), judgeOf(draft), undefined);
      for (const one of pages) run.take(one);
      return run.result(true);
    };
    const open = rule('open', [header()]);
    expect(draftReplay([open], [open])).toMatchObject({ unknown: 0, unknown_rules: [], newly_blocked: 0 });
    expect(draftReplay([], [open])).toMatchObject({
      unknown: 2,
      unknown_rules: [{ plugin: 'blackrules', rule: 'open', requests: 2, fields: [{ name: 'Accept' }] }],
    });
    expect(draftReplay([open], [])).toMatchObject({ unknown: 2, newly_passed: 0 });
    expect(draftReplay([open], [rule('open', [header({ not: true })])])).toMatchObject({ unknown: 2 });
    expect(draftReplay([open], [open, rule('a', [path('/a')])])).toMatchObject({ unknown: 1, newly_blocked: 0 });
    expect(draftReplay([], [rule('all', [path('/a')]), open])).toMatchObject({ unknown: 1, newly_blocked: 1 });
  });
});

it('counts a ban as the verdict of the plugin that had given it', () => {
  const config = { findtime: 60, maxretry: 100, bantime: '1h', banpath: '.*', only_dynamic: false };
  const replayOf = (name: string, enabled: boolean) => {
    const run = createReplayRun({ name, enabled, config }, handlers, undefined, () => ({}));
    const by = (plugin: string, client_address: string) => ({
      ...request('/a', ''),
      ...{ action: 'block', plugin, client_address },
    });
    run.take(by('ban', '203.0.113.7'));
    run.take(by('request-limit', '203.0.113.7'));
    run.take(by('ban', '203.0.113.7'));
    run.take(by('ban', '203.0.113.8'));
    return run.result(true);
  };
  expect(replayOf('request-limit', true)).toMatchObject({ newly_passed: 2, blocked_elsewhere: 0 });
  const tight = { ...config, maxretry: 1 };
  const run = createReplayRun({ name: 'request-limit', enabled: true, config: tight }, handlers, undefined, () => ({}));
  const blocked = { ...request('/a', ''), action: 'block' };
  run.take({ ...blocked, plugin: 'request-limit' });
  run.take({ ...blocked, plugin: 'ban' });
  run.take({ ...blocked, plugin: 'ban', client_address: '203.0.113.8' });
  expect(run.result(true)).toMatchObject({ verdicts: { block: 3 }, newly_blocked: 0, blocked_elsewhere: 1 });
});
