import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { sealSecret } from '@cordon/plugin-kit/sealed-secret';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { readChallenge, solve } from './testing/prove.ts';
import { findGap } from './testing/puzzle.ts';
import { testRoute, testSettings, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

const CLIENT = '203.0.113.7';
const BROWSER = { accept: 'text/html' };
const PROOF_PATH = '/.well-known/cordon/challenge';
const SECRET = 'a-secret-of-the-tests';
const HANDLE = `secret_${'a'.repeat(22)}`;
/** More than a megabyte of `cordon_challenges` has room for. */
const WAITS = 8500;
const AT_ONCE = 64;

let origin: TestOrigin;
let edge: TestEdge;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

beforeAll(async () => {
  origin = await startOrigin((_, response) => response.end('origin'));
  const upstream = testUpstream([testTarget(origin.port)]);
  const proving = (mode: string) => [{ name: 'challenge', config: { mode, path: '.*', pass_time: '30m' } }];
  const attacker = testRoute({ hosts: ['attacker.test'], upstream });
  const sealed = sealSecret(Buffer.from(testSettings().secret_keys?.free01 ?? '', 'base64url'), SECRET, {
    accountId: attacker.account_id,
    handle: HANDLE,
  });
  const config = { path: '.*', api_secret: HANDLE, sleep_seconds: 1, expire_seconds: 300 };
  edge = await startEdge({
    environment: { CORDON_EDGE_CHALLENGES_MB: '1' },
    routes: [
      { ...attacker, plugins: [{ name: 'seclink', config, secrets: { api_secret: sealed } }] },
      testRoute({ hosts: ['victim.test'], upstream, plugins: proving('js') }),
      testRoute({ hosts: ['puzzled.test'], upstream, plugins: proving('puzzle') }),
    ],
  });
});
afterAll(async () => {
  agent.destroy();
  await edge?.stop();
  await origin?.stop();
});

const pageOf = (host: string) => edge.request(host, { headers: BROWSER, from: CLIENT });
const show = (host: string, proof: string) =>
  edge.request(host, { method: 'POST', path: PROOF_PATH, headers: { 'cordon-proof': proof }, from: CLIENT });

/** On connections that are kept: `TestEdge.request` has one for each. */
const ask = (method: string, path: string, headers: Record<string, string>) =>
  new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: edge.httpPort, agent, method, path };
    const call = request({ ...options, headers: { host: 'attacker.test', ...headers } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      response.on('error', reject).on('end', () => resolve({ status: response.statusCode, body }));
    });
    call.on('error', reject).end();
  });

async function manyTimes(times: number, task: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < times) await task(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Shows more waits that are over than the memory has room for: they cost no work. */
async function fillMemory(): Promise<number> {
  const at = Math.floor(Date.now() / 1000);
  const link = `/?link_ts=${at}&link_sig=${createHmac('sha256', SECRET).update(`/\n${at}`).digest('hex')}`;
  const waits: string[] = [];
  await manyTimes(WAITS, async () => {
    const { body } = await ask('GET', link, BROWSER);
    waits.push(/data-challenge="([^"]*)"/.exec(body)?.[1] ?? '');
  });
  await delay(1100);
  let taken = 0;
  await manyTimes(WAITS, async (index) => {
    const { status } = await ask('POST', PROOF_PATH, { 'cordon-proof': `${waits[index]} waited` });
    if (status === 200) taken++;
  });
  return taken;
}

it("visitors' proofs and puzzles are taken, however many others fill the memory with theirs", async () => {
  const { puzzle } = JSON.parse((await show('puzzled.test', solve(readChallenge(await pageOf('puzzled.test'))))).body);
  expect(await fillMemory()).toBe(WAITS);
  // It was shown before all of them.
  const gap = findGap(puzzle.picture, puzzle.piece, puzzle.top);
  expect(await show('puzzled.test', `${puzzle.text} ${gap}`)).toMatchObject({ status: 200 });
  for (let visitor = 0; visitor < 5; visitor++) {
    const proof = solve(readChallenge(await pageOf('victim.test')));
    expect(await show('victim.test', proof)).toMatchObject({ status: 200 });
    expect(await show('victim.test', proof)).toMatchObject({ status: 403 });
  }
  const next = JSON.parse((await show('puzzled.test', solve(readChallenge(await pageOf('puzzled.test'))))).body);
  expect(next.puzzle.picture).not.toBe('');
});
