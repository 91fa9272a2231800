import { diagnosisChecks, diagnosisFindings } from '@cordon/contract';
import { describe, expect, it } from 'vitest';
import { cureOf, curePlace } from './cure';
import { badgeTextPx } from './health-words';
import en from './locales/en.json';
import zh from './locales/zh.json';

/** Findings that are never unwell: of the states `ok` and `unknown` only. */
const WELL = new Set([
  'service.running',
  'quota.within',
  'ownership.points_here',
  'ownership.demo',
  'propagation.everywhere',
  'propagation.no_answer',
  'propagation.demo',
  'certificate.demo',
  'certificate.valid',
  'certificate.no_handshake',
  'nodes.all_live',
  'deploy.live',
  'access.lets_in',
  'access.blocks_some',
  'access.redirects',
  'upstream.all_answer',
  'upstream.not_asked',
  'upstream.not_needed',
  'traffic.served',
  'traffic.quiet',
  'traffic.too_few',
  'traffic.not_measured',
]);

describe.each([
  ['en', en],
  ['zh', zh],
])('short words of findings, %s', (_, { short }) => {
  it('are there for each finding that is not well, and for no other', () => {
    const said = Object.entries(short).flatMap(([check, words]) => Object.keys(words).map((one) => `${check}.${one}`));
    const wanted = diagnosisChecks.flatMap((check) => diagnosisFindings[check].map((one) => `${check}.${one}`));
    expect(said.sort()).toEqual(wanted.filter((one) => !WELL.has(one)).sort());
  });
});

it('the short words are short enough for the column of a list, with the number of further findings', () => {
  const texts = Object.values(en.short).flatMap((words) => Object.values(words));
  expect(texts.filter((text) => text.replace(/\{.*\}/, '99').length > 18)).toEqual([]);
});

it('a badge has room for its words: the widest of each language, as a browser measures them', () => {
  const measured = {
    'No reCAPTCHA': 92,
    Suspended: 63,
    'Wrong DNS record': 108,
    'DNS record missing': 113,
    '88.8% server errors': 118,
    '缺少 reCAPTCHA': 100,
    '88.8% 服务器错误': 103,
    'DNS 未指向本平台': 101,
    人机验证无人通过: 96,
  };
  for (const [text, px] of Object.entries(measured)) {
    expect(badgeTextPx(text), text).toBeGreaterThanOrEqual(px);
    expect(badgeTextPx(text), text).toBeLessThan(px + 20);
  }
});

describe('the cure of a finding', () => {
  it('is the action that it advises, else the place of the setting, else the diagnosis', () => {
    for (const advice of ['deploy', 'resume', 'end_pause', 'contact_support'] as const)
      expect(cureOf({ check: 'upstream', advice })).toBe(advice);
    expect(cureOf({ check: 'ownership', advice: 'add_cname' })).toBe('dns');
    expect(cureOf({ check: 'upstream', advice: 'check_origin' })).toBe('origin');
    expect(cureOf({ check: 'traffic', advice: 'check_origin' })).toBe('origin');
    expect(cureOf({ check: 'propagation', advice: 'wait_for_dns' })).toBe('dns');
    expect(cureOf({ check: 'access', advice: 'change_access' })).toBe('plugin');
    expect(cureOf({ check: 'traffic', advice: 'check_challenge' })).toBe('trace');
    expect(cureOf({ check: 'deploy', advice: 'correct_settings' })).toBe('history');
    expect(cureOf({ check: 'quota', advice: 'upgrade_plan' })).toBe('diagnosis');
  });
  it.each([
    ['blackrules', '?tab=protection&edit=blackrules'],
    ['geoip', '?tab=access&edit=geoip'],
    // Of what an earlier API had found.
    [undefined, ''],
  ])('is the sheet of the plugin that blocks: %s', (plugin, place) => {
    const params: Record<string, string> = plugin === undefined ? {} : { plugin };
    expect(curePlace('r', { check: 'access', advice: 'change_access', params })).toBe(`#/domain/list/r${place}`);
  });
  it('is the support where no screen mends it yet', () => {
    expect(cureOf({ check: 'certificate', advice: 'configure_ssl' })).toBe('contact_support');
  });
});
