import { describe, expect, it } from 'vitest';
import { judge } from './judge.ts';
import type { Line } from './line.ts';

const line = (check: Line['check'], state: Line['state'], finding: string): Line => ({ check, state, finding });
const judged = (...lines: Line[]) => {
  const { state, findings } = judge(lines, null);
  return [state, ...findings.map((found) => `${found.check}/${found.finding}`)];
};

describe('the health of a domain', () => {
  it.each<[string, Line[], string[]]>([
    ['without a line is well', [], ['ok']],
    [
      'is well by what is well, and by what could not be found out',
      [line('service', 'ok', 'running'), line('upstream', 'unknown', 'timed_out')],
      ['ok'],
    ],
    [
      'is as bad as the worst of it',
      [line('access', 'warning', 'blocks_you'), line('ownership', 'error', 'no_record')],
      ['error', 'ownership/no_record', 'access/blocks_you'],
    ],
    [
      'names first what costs visitors most',
      [
        line('propagation', 'warning', 'partly'),
        line('certificate', 'warning', 'default_certificate'),
        line('traffic', 'warning', 'server_errors'),
        line('service', 'warning', 'paused'),
      ],
      ['warning', 'service/paused', 'traffic/server_errors', 'certificate/default_certificate', 'propagation/partly'],
    ],
    [
      'has one finding of each check, the worst',
      [line('upstream', 'warning', 'some_fail'), line('upstream', 'error', 'none_answers')],
      ['error', 'upstream/none_answers'],
    ],
    [
      'does not name a name that leads elsewhere twice',
      [line('propagation', 'warning', 'nowhere'), line('ownership', 'error', 'points_elsewhere')],
      ['error', 'ownership/points_elsewhere'],
    ],
    [
      'counts an origin that cannot be used once, not its server errors too',
      [line('traffic', 'error', 'server_errors'), line('upstream', 'error', 'none_answers')],
      ['error', 'upstream/none_answers'],
    ],
    [
      'names server errors beside an origin that only sometimes fails where most visitors get them',
      [line('traffic', 'error', 'server_errors'), line('upstream', 'warning', 'some_fail')],
      ['error', 'traffic/server_errors', 'upstream/some_fail'],
    ],
    [
      'names challenges that are not passed beside an origin that fails',
      [line('traffic', 'warning', 'challenges_unmet'), line('upstream', 'error', 'none_answers')],
      ['error', 'upstream/none_answers', 'traffic/challenges_unmet'],
    ],
    [
      'that is switched off is neither well nor not, and says what is still to be mended',
      [
        line('service', 'error', 'deactivated'),
        line('certificate', 'warning', 'default_certificate'),
        line('ownership', 'error', 'no_record'),
        line('nodes', 'error', 'none_live'),
      ],
      ['off', 'service/deactivated', 'ownership/no_record'],
    ],
    [
      'that is deleted says nothing else',
      [line('service', 'error', 'deleting'), line('ownership', 'error', 'no_record')],
      ['off', 'service/deleting'],
    ],
    [
      'that is suspended is not served against the will of its owner',
      [line('service', 'error', 'route_suspended')],
      ['error', 'service/route_suspended'],
    ],
  ])('%s', (_, lines, expected) => {
    expect(judged(...lines)).toEqual(expected);
  });

  it('says since when, and when it was looked at', () => {
    const since = '2026-11-20T10:00:00.000Z';
    const health = judge([{ ...line('ownership', 'error', 'no_record'), since, advice: 'add_cname' }], since);
    expect(health).toMatchObject({ looked_at: since, findings: [{ since, advice: 'add_cname', params: {} }] });
  });
});
