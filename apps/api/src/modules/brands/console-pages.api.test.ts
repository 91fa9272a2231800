import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../testing/start-api.ts';

const root = mkdtempSync(join(tmpdir(), 'console-'));
const brands = join(root, 'brands.json');
const SCRIPT = 'document.title = "now"';
const page = (text: string) =>
  `<!doctype html><head><!--page-data--><script>${SCRIPT}</script><script src="/a.js"></script></head>${text}`;
const colors = { primary: '#234fd0', primary_dark: '#3f6df0', soft: '#eaf0ff', soft_dark: '#1b2749' };
const contacts = { abuse_contact: 'abuse@example.com', support_email: 'help@example.com' };

let api: TestApi;
beforeAll(async () => {
  writeFileSync(join(root, 'index.html'), page('one'));
  writeFileSync(join(root, 'silent.html'), page('silent'));
  const title = { en: '</script><script>alert(1)</script>', zh: '控制台' };
  const brand = { key: 'acme', name: 'Acme', title, hostnames: ['127.0.0.1'], colors, ...contacts };
  writeFileSync(brands, JSON.stringify({ default: 'acme', brands: [brand] }));
  api = await startApi({ CORDON_CONSOLE_DIR: root, CORDON_BRANDS: brands });
});
afterAll(async () => {
  await api.stop();
  rmSync(root, { recursive: true });
});

const dataIn = (html: string) =>
  JSON.parse(/<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null') as {
    brand: { key: string; title: object };
    openid: Record<string, string>;
  };

describe("the console's page", () => {
  it.each(['/', '/?code=x', '/index.html', '/silent.html'])(
    '%s brings the brand and where its sign-in is',
    async (path) => {
      const response = await fetch(api.url + path);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const { brand, openid } = dataIn(await response.text());
      const answer = await fetch(`${api.url}/api/v1/brand/`);
      expect(brand).toEqual(((await answer.json()) as { result: object }).result);
      const metadata = await fetch(
        `${api.url}${new URL(openid.issuer ?? '').pathname}/.well-known/openid-configuration`,
      );
      expect(await metadata.json()).toMatchObject(openid);
    },
  );

  it('allows the scripts that stand in it, and no other', async () => {
    const { headers } = await fetch(`${api.url}/`);
    const hash = createHash('sha256').update(SCRIPT).digest('base64');
    expect(headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}' 'self';`);
    const other = await fetch(`${api.url}/api/v1/brand/`);
    expect(other.headers.get('content-security-policy')).toContain("script-src 'self';");
  });

  it('does not let the text of a brand become markup', async () => {
    const html = await (await fetch(`${api.url}/`)).text();
    expect(html).not.toContain('<script>alert');
    expect(dataIn(html).brand.title).toMatchObject({ en: '</script><script>alert(1)</script>' });
  });

  it('is compressed, and need not be sent again while it stays', async () => {
    const plain = await api.api.app.inject({ url: '/', headers: { host: new URL(api.env.origin).host } });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const headers = { host: new URL(api.env.origin).host, 'accept-encoding': 'gzip, br' };
    const small = await api.api.app.inject({ url: '/', headers });
    expect(small.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(small.rawPayload).toString()).toBe(plain.body);
    for (const refused of ['br;q=0', 'gzip, br; Q=0.000', 'x-br'])
      expect(
        (await api.api.app.inject({ url: '/', headers: { ...headers, 'accept-encoding': refused } })).headers,
      ).not.toHaveProperty('content-encoding');
    const etag = String(small.headers.etag);
    expect((await api.api.app.inject({ url: '/', headers: { ...headers, 'if-none-match': etag } })).statusCode).toBe(
      304,
    );
    writeFileSync(join(root, 'index.html'), page('two'));
    utimesSync(join(root, 'index.html'), 1, 1);
    const next = await api.api.app.inject({ url: '/', headers: { ...headers, 'if-none-match': etag } });
    expect(next.statusCode).toBe(200);
    expect(brotliDecompressSync(next.rawPayload).toString()).toContain('two');
  });
});
