import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { passOf, readChallenge, solve } from './testing/prove.ts';
import { findGap, findGaps } from './testing/puzzle.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { type EdgeAnswer, startEdge, type TestEdge } from './testing/start-edge.ts';

const HOST = 'challenged.test';
const OTHER = 'other.test';
const RATED = 'rated.test';
const BRIEF = 'rated-briefly.test';
const SHORT = 'short.test';
const CLIENT = '203.0.113.7';
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const PATH = '/.well-known/cordon/challenge';

let origin: TestOrigin;
let edge: TestEdge;
const plugins = [{ name: 'challenge', config: { mode: 'js', path: '.*', pass_time: '30m' } }];
const route = () => testRoute({ hosts: [HOST], upstream: testUpstream([testTarget(origin.port)]), plugins });
const routes: ReturnType<typeof testRoute>[] = [];

beforeAll(async () => {
  origin = await startOrigin((request, response) => response.end(`origin ${request.url}`));
  const puzzled = [{ name: 'challenge', config: { mode: 'puzzle', path: '.*', pass_time: '30m' } }];
  const short = [{ name: 'challenge', config: { mode: 'js', path: '.*', pass_time: '5m' } }];
  const rate = { mode: 'js', maxretry: 3, findtime: 60, bantime: '10m' };
  const rated = [{ name: 'crowdsec-captcha', config: rate }];
  routes.push(
    route(),
    { ...route(), hosts: [{ name: OTHER, verified: true }] },
    { ...route(), hosts: [{ name: 'puzzled.test', verified: true }], plugins: puzzled },
    { ...route(), hosts: [{ name: 'flooded.test', verified: true }], plugins: puzzled },
    { ...route(), hosts: [{ name: 'api.test', verified: true }] },
    { ...route(), hosts: [{ name: SHORT, verified: true }], plugins: short },
    { ...route(), hosts: [{ name: RATED, verified: true }], plugins: rated },
    {
      ...route(),
      hosts: [{ name: BRIEF, verified: true }],
      plugins: [{ name: 'crowdsec-captcha', config: { ...rate, bantime: '1s' } }],
    },
  );
  edge = await startEdge({ routes });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const visit = (headers: Record<string, string> = {}, from = CLIENT, host = HOST) =>
  edge.request(host, { path: '/shop?a=1', headers: { ...BROWSER, ...headers }, from });
const show = (proof: string, from = CLIENT, host = HOST, more: { method?: string; path?: string } = {}) =>
  edge.request(host, { method: 'POST', path: PATH, headers: { 'cordon-proof': proof }, from, ...more });
const cookieOf = (answer: EdgeAnswer) => String(answer.headers['set-cookie']).split(';')[0] ?? '';

describe('a visitor that is to prove itself', () => {
  it('gets a page with work to do, and with its pass the site', async () => {
    const page = await visit();
    expect(page.status).toBe(403);
    expect(page.headers['cache-control']).toBe('no-store');
    const met = await show(solve(readChallenge(page)));
    expect(met.status).toBe(200);
    expect(String(met.headers['set-cookie'])).toMatch(/; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax$/);
    const answer = await visit({ cookie: cookieOf(met) });
    expect(answer.body).toBe('origin /shop?a=1');
  });

  it('finds the id of its request on the page, which may run no other script', async () => {
    const page = await visit();
    const id = String(page.headers['x-request-id']);
    expect(page.body).toContain(`<code>${id}</code>`);
    expect(page.body).toContain(`https://console.cordon.test/#/domain/list?request=${id}`);
    expect(page.headers['content-security-policy']).toContain(`script-src 'nonce-${id}'`);
    expect(page.body.match(/<script/g)).toHaveLength(1);
    expect(page.body).toContain(`<script nonce="${id}">`);
  });

  it('gets the page in its language', async () => {
    const page = await visit({ 'accept-language': 'zh-CN,zh;q=0.9' });
    expect(page.body).toContain('<html lang="zh-CN">');
    expect(page.body).toContain('正在检查您的浏览器');
  });

  it('gets 403 and an object that says so where it does not accept HTML', async () => {
    const answer = await edge.request(HOST, { path: '/api', headers: { accept: '*/*' }, from: CLIENT });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({
      success: false,
      code: 'CHALLENGE_REQUIRED',
      message: 'This site checks that visitors are human. Open this address in a browser to complete the check.',
      challenge: 'js',
      request_id: answer.headers['x-request-id'],
      request_url: `https://console.cordon.test/#/domain/list?request=${answer.headers['x-request-id']}`,
      abuse_contact: 'abuse@cordon.test',
    });
  });

  it('is logged as challenged, and how it ended', async () => {
    const page = await visit({}, '203.0.113.40');
    const met = await show(solve(readChallenge(page)), '203.0.113.40');
    const asked = await edge.control.row((row) => row.request_id === page.headers['x-request-id'], 'the challenge');
    expect(asked).toMatchObject({ plugin: 'challenge', action: 'challenge', reason: 'proof_required' });
    const shown = await edge.control.row((row) => row.request_id === met.headers['x-request-id'], 'the proof');
    expect(shown).toMatchObject({ plugin: '', action: '', reason: 'challenge_met' });
  });
});

describe('a proof', () => {
  it('is taken once', async () => {
    const proof = solve(readChallenge(await visit()));
    expect((await show(proof)).status).toBe(200);
    const again = await show(proof);
    expect(again.status).toBe(403);
    expect(again.headers['set-cookie']).toBeUndefined();
  });

  it.each([
    ['from another network', '203.0.113.8', HOST],
    ['on another domain', CLIENT, OTHER],
  ])('is not taken %s', async (_, from, host) => {
    const proof = solve(readChallenge(await visit()));
    expect((await show(proof, from, host)).status).toBe(403);
    // Nor used up by the attempt.
    expect((await show(proof)).status).toBe(200);
  });

  it('is taken from any address of an IPv6 /64', async () => {
    const proof = solve(readChallenge(await visit({}, '2606:4700::1')));
    expect((await show(proof, '2606:4700::ffff:1')).status).toBe(200);
  });

  it.each([
    ['without its work', (text: string) => `${text} 0,0,0,0,0,0,0,0`],
    ['with too few numbers', (text: string, numbers: string) => `${text} ${numbers.split(',').slice(1).join(',')}`],
    ['with the bits lowered', (text: string) => `${text.replace(/\.\d+\.(?=[0-9a-f]{32}\.)/, '.0.')} 0,0,0,0,0,0,0,0`],
    ['with a longer pass', (text: string, numbers: string) => `${text.replace('.1800.', '.9999999.')} ${numbers}`],
    ['with a signature cut off', (text: string, numbers: string) => `${text.slice(0, -1)} ${numbers}`],
    ['of no challenge', () => 'a.b.c.d.e.f 1,2,3,4,5,6,7,8'],
    ['empty', () => ''],
  ])('is refused %s', async (_, forge) => {
    const [text = '', numbers = ''] = solve(readChallenge(await visit())).split(' ');
    const answer = await show(forge(text, numbers));
    expect(answer.status).toBe(403);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('is shown by POST only, and at its path only', async () => {
    const proof = solve(readChallenge(await visit()));
    expect((await show(proof, CLIENT, HOST, { method: 'GET' })).headers['set-cookie']).toBeUndefined();
    expect((await show(proof, CLIENT, HOST, { path: '/' })).headers['set-cookie']).toBeUndefined();
    expect((await show(proof)).status).toBe(200);
  });
});

describe('a visitor that sends too many requests', () => {
  it('proves itself, and may send as many again', async () => {
    const from = '203.0.113.60';
    const statuses = async (cookie: string) => {
      const answers: number[] = [];
      for (let count = 0; count < 3; count++) answers.push((await visit({ cookie }, from, RATED)).status);
      return answers;
    };
    expect(await statuses('')).toEqual([200, 200, 403]);
    const asked = await visit({}, from, RATED);
    const pass = cookieOf(await show(solve(readChallenge(asked)), from, RATED));
    expect(await statuses(pass)).toEqual([200, 200, 403]);
    expect((await visit({ cookie: pass }, from, RATED)).status).toBe(403);
    const row = await edge.control.row(({ request_id: id }) => id === asked.headers['x-request-id'], 'the challenge');
    expect(row).toMatchObject({ plugin: 'crowdsec-captcha', action: 'challenge', reason: 'too_many_requests' });
  });

  it('begins anew once the time is over for which it has to, however far back requests are counted', async () => {
    const ask = async () => (await visit({}, '203.0.113.61', BRIEF)).status;
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 403]);
    await vi.waitFor(async () => expect(await ask()).toBe(200), { timeout: 5_000 });
    expect([await ask(), await ask()]).toEqual([200, 403]);
  });
});

describe('a pass', () => {
  const passes = async (pass: string, from = CLIENT, host = HOST) =>
    (await visit({ cookie: `a=b; cordon_pass=${pass}` }, from, host)).status === 200;
  const id = (host: string) => routes.find(({ hosts }) => hosts[0]?.name === host)?.id ?? '';

  it('is known by any node that has the keys', async () => {
    expect(await passes(passOf(id(HOST), CLIENT, 'js'))).toBe(true);
  });

  it('is bound to the network and the domain, and ends', async () => {
    const pass = passOf(id(HOST), CLIENT, 'js');
    expect(await passes(pass, '203.0.113.9')).toBe(false);
    expect(await passes(pass, CLIENT, OTHER)).toBe(false);
    expect(await passes(passOf(id(HOST), CLIENT, 'js', Math.floor(Date.now() / 1000) - 1))).toBe(false);
  });

  it('is found beside others that are not good, of which four are looked at', async () => {
    const shown = (others: number) =>
      [...Array.from({ length: others }, () => 'js.1.9999999999.x'), passOf(id(HOST), CLIENT, 'js')].join(
        '; cordon_pass=',
      );
    expect(await passes(shown(3))).toBe(true);
    expect(await passes(shown(4))).toBe(false);
  });

  it('holds for no longer than the settings say by now', async () => {
    const pass = (age: number) => passOf(id(HOST), CLIENT, 'js', undefined, Math.floor(Date.now() / 1000) - age);
    expect(await passes(pass(1700))).toBe(true);
    expect(await passes(pass(1900))).toBe(false);
  });

  it('is given for as long as the settings say', async () => {
    const met = await show(solve(readChallenge(await visit({}, CLIENT, SHORT))), CLIENT, SHORT);
    const [, at, until] = cookieOf(met).split('.');
    expect(Number(until) - Number(at)).toBe(300);
    expect(String(met.headers['set-cookie'])).toContain('; Max-Age=300;');
  });

  it('cannot be made longer, or of a harder way', async () => {
    const [way, at, until, signature] = passOf(id(HOST), CLIENT, 'js').split('.');
    expect(await passes(`puzzle.${at}.${until}.${signature}`)).toBe(false);
    expect(await passes(`${way}.${at}.${Number(until) + 1}.${signature}`)).toBe(false);
    expect(await passes(`${way}.${at}.${until}.`)).toBe(false);
  });
});

it('asks for more work the more challenges a domain gives', async () => {
  const calm = readChallenge(await visit({}, '203.0.113.50', OTHER)).bits;
  let busy = calm;
  for (let count = 0; count < 450 && busy < calm + 2; count += 50) {
    const pages = await Promise.all(Array.from({ length: 50 }, () => visit({}, '203.0.113.50', OTHER)));
    busy = Math.max(...pages.map((page) => readChallenge(page).bits));
  }
  expect(busy).toBeGreaterThanOrEqual(calm + 2);
  expect(readChallenge(await visit()).bits).toBe(calm);
});

it('asks for no more work because of requests that are shown no challenge', async () => {
  const ask = (headers: Record<string, string>) => edge.request('api.test', { headers, from: '203.0.113.51' });
  for (let count = 0; count < 450; count += 50)
    await Promise.all(Array.from({ length: 50 }, () => ask({ accept: 'application/json' })));
  expect(readChallenge(await ask(BROWSER)).bits).toBe(readChallenge(await visit({}, CLIENT, 'puzzled.test')).bits);
});

it('asks who cannot see a puzzle for no more than a phone does in time, however many ask', async () => {
  const [host, from] = ['flooded.test', '203.0.113.52'];
  let page = readChallenge(await visit({}, from, host));
  const calm = page.bits;
  for (let count = 0; count < 900 && page.bits < calm + 3; count += 50) {
    const pages = await Promise.all(Array.from({ length: 50 }, () => visit({}, from, host)));
    page = readChallenge(pages[0] as EdgeAnswer);
  }
  const { puzzle } = JSON.parse((await show(solve(page), from, host)).body);
  const { work } = JSON.parse((await show(`${puzzle.text} work`, from, host)).body);
  expect(page.bits).toBeGreaterThanOrEqual(calm + 3);
  expect(work.bits).toBe(20);
});

describe('a puzzle', () => {
  const PUZZLED = 'puzzled.test';
  const puzzle = async (from: string) => {
    const page = await visit({}, from, PUZZLED);
    return JSON.parse((await show(solve(readChallenge(page)), from, PUZZLED)).body).puzzle as {
      text: string;
      top: number;
      picture: string;
      piece: string;
    };
  };
  const answer = (text: string, answered: number | string, from: string) => show(`${text} ${answered}`, from, PUZZLED);

  it('is given for work, and its gap is where the piece comes from', async () => {
    const from = '203.0.113.60';
    const { text, top, picture, piece } = await puzzle(from);
    const gap = findGap(picture, piece, top);
    const met = await answer(text, gap, from);
    expect(met.status).toBe(200);
    expect((await visit({ cookie: cookieOf(met) }, from, PUZZLED)).status).toBe(200);
  });

  it('has one try', async () => {
    const from = '203.0.113.61';
    const { text, top, picture, piece } = await puzzle(from);
    const gap = findGap(picture, piece, top);
    expect((await answer(text, gap > 150 ? gap - 40 : gap + 40, from)).status).toBe(403);
    const late = await answer(text, gap, from);
    expect(late.status).toBe(403);
    expect(JSON.parse(late.body).work).toBeUndefined();
  });

  it('that is missed is followed by another one, for the same work, without its page', async () => {
    const from = '203.0.113.68';
    const page = readChallenge(await visit({}, from, PUZZLED));
    const missed = JSON.parse((await show(solve(page), from, PUZZLED)).body).puzzle;
    const refused = await answer(missed.text, -100, from);
    expect(refused.status).toBe(403);
    const { work } = JSON.parse(refused.body);
    expect(work.bits).toBe(page.bits);
    const { puzzle: next } = JSON.parse((await show(solve({ ...page, ...work }), from, PUZZLED)).body);
    expect((await answer(next.text, findGap(next.picture, next.piece, next.top), from)).status).toBe(200);
  });

  it.each([
    [-6, 403],
    [-5, 200],
    [5, 200],
    [6, 403],
  ])(
    'is solved as far beside the gap as a hand on a phone, and no further: %i pixels get %i',
    async (beside, status) => {
      const from = `203.0.113.${80 + beside}`;
      let shown = await puzzle(from);
      let gaps = findGaps(shown.picture, shown.piece, shown.top);
      // In a dark one nobody sees to the pixel where it is.
      while (gaps.length > 1) {
        shown = await puzzle(from);
        gaps = findGaps(shown.picture, shown.piece, shown.top);
      }
      expect((await answer(shown.text, (gaps[0] as number) + beside, from)).status).toBe(status);
    },
  );

  it.each([['nan'], ['inf'], [''], ['1e9'], ['-1']])('takes no %s for an answer', async (answered) => {
    const from = '203.0.113.62';
    const { text } = await puzzle(from);
    expect((await answer(text, answered, from)).status).toBe(403);
  });

  it('is not answered by another client', async () => {
    const from = '203.0.113.63';
    const { text, top, picture, piece } = await puzzle(from);
    const gap = findGap(picture, piece, top);
    expect((await answer(text, gap, '203.0.113.64')).status).toBe(403);
    expect((await answer(text, gap, from)).status).toBe(200);
  });

  it('is given to many at once by the pictures that were drawn last, each to be answered by itself', async () => {
    const from = '203.0.113.66';
    const pages = await Promise.all(Array.from({ length: 30 }, () => visit({}, from, PUZZLED)));
    const proofs = pages.map((page) => solve(readChallenge(page)));
    const shown = await Promise.all(proofs.map((proof) => show(proof, from, PUZZLED)));
    const puzzles = shown.map(({ body }) => JSON.parse(body).puzzle as Awaited<ReturnType<typeof puzzle>>);
    expect(new Set(puzzles.map(({ picture }) => picture)).size).toBeLessThan(30);
    for (const { text, top, picture, piece } of puzzles)
      expect((await answer(text, findGap(picture, piece, top), from)).status).toBe(200);
  });

  it('ends when it is given up for work, which is given once', async () => {
    const from = '203.0.113.67';
    const { text, top, picture, piece } = await puzzle(from);
    expect((await answer(text, 'work', from)).status).toBe(200);
    expect((await answer(text, 'work', from)).status).toBe(403);
    expect((await answer(text, findGap(picture, piece, top), from)).status).toBe(403);
  });

  it('asks who cannot see it for much more work, and takes that for an answer', async () => {
    const from = '203.0.113.65';
    const page = readChallenge(await visit({}, from, PUZZLED));
    const { text } = JSON.parse((await show(solve(page), from, PUZZLED)).body).puzzle;
    const { work } = JSON.parse((await answer(text, 'work', from)).body);
    expect(work.bits).toBe(page.bits + 7);
    const met = await show(solve({ ...page, ...work }), from, PUZZLED);
    expect((await visit({ cookie: cookieOf(met) }, from, PUZZLED)).status).toBe(200);
  });
});
