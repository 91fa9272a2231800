import { execFileSync } from 'node:child_process';
import { runCase } from '@cordon/plugin-kit/testing';
import { expect, it } from 'vitest';
import { handler } from './edge.ts';
import { definition } from './plugin.ts';
import { type Sample, samples } from './samples.ts';

const PROGRAMS: Record<Sample['id'], readonly string[]> = {
  bash: ['bash', '-c'],
  javascript: ['node', '-e'],
  python: ['python3', '-c'],
  php: ['php', '-r'],
  perl: ['perl', '-e'],
};

/** What the program prints. */
function run({ id, code }: Sample, secret: string): string {
  const [program = '', option = ''] = PROGRAMS[id];
  const source = code.replace(/^<\?php/, '');
  return execFileSync(program, [option, source], { encoding: 'utf8', env: { ...process.env, LINK_SECRET: secret } });
}

const OFFSET = Math.floor(Date.now() / 1000);

// A secret with what shells and quotes might take for theirs.
it.each(samples().map((sample) => [sample.name, sample] as const))(
  'the sample in %s signs a link that opens',
  (_, sample) => {
    const secret = `a-secret'"$HOME\`!{}%\\n`;
    const printed = run(sample, secret);
    expect(printed).toMatch(/^\/download\/report%202026\.pdf\?link_ts=\d+&link_sig=[0-9a-f]{64}\n$/);
    const ts = Number(/link_ts=(\d+)/.exec(printed)?.[1]);
    expect(Math.abs(ts - OFFSET)).toBeLessThan(60);
    const config = { api_secret: secret, sleep_seconds: 0, expire_seconds: 604_800 };
    const link = { name: 'sample', config, request: { path: printed.trim() }, expect: { verdict: 'pass' } as const };
    // The clock of the cases stands elsewhere.
    expect(runCase(definition, handlerAt(ts), link)).toEqual({ verdict: 'pass' });
    const other = { ...link, request: { path: printed.trim().replace('report', 'other') } };
    expect(runCase(definition, handlerAt(ts), other)).toMatchObject({ verdict: 'block', reason: 'link_invalid' });
  },
);

/** The handler at another time. */
function handlerAt(now: number): typeof handler {
  return { ...handler, access: (ctx, prepared) => handler.access?.({ ...ctx, now }, prepared) };
}
