import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { PAGE_DATA_ID, type PageData } from '@cordon/contract/page-data';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

interface Page {
  readonly html: string;
  readonly brotli: Buffer;
  readonly etag: string;
  /** Sources of the scripts in the page, for `script-src`. */
  readonly scriptHashes: readonly string[];
}

const DATA_PLACE = '<!--page-data-->';
const INLINE_SCRIPT = /<script>([\s\S]*?)<\/script>/g;

/** Whether the visitor takes brotli: RFC 9110, section 12.5.3; a weight of 0 refuses it. */
const takesBrotli = (accepted: string): boolean =>
  accepted.split(',').some((part) => {
    const [coding = '', ...params] = part.split(';').map((text) => text.trim().toLowerCase());
    return coding === 'br' && !params.some((param) => /^q=0(\.0*)?$/.test(param));
  });

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

/** `<` would end the element, or begin a comment, wherever a brand's text has it. */
const elementOf = (data: PageData): string =>
  `<script type="application/json" id="${PAGE_DATA_ID}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;

function makePage(source: string, data: PageData): Page {
  const html = source.replace(DATA_PLACE, () => elementOf(data));
  return {
    html,
    brotli: brotliCompressSync(html),
    etag: `"${sha256(html).slice(0, 22)}"`,
    scriptHashes: [...html.matchAll(INLINE_SCRIPT)].map(([, script = '']) => `'sha256-${sha256(script)}'`),
  };
}

/**
 * Serves the console's two pages with the scripts that stand in them, which its policy allows by their hashes, and with
 * what a first visit would have to ask for: the brand of the hostname, and where its sign-in is.
 * @param root Folder of the built console; a page is read anew when its file has changed.
 */
export function mountConsolePages(app: FastifyInstance, root: string, dataOf: (hostname: string) => PageData): void {
  const pages = new Map<string, Page>();

  function pageOf(file: string, hostname: string): Page {
    const path = join(root, file);
    const data = dataOf(hostname);
    const key = `${file} ${data.brand.key} ${statSync(path).mtimeMs}`;
    const page = pages.get(key) ?? makePage(readFileSync(path, 'utf8'), data);
    pages.set(key, page);
    return page;
  }

  const serve = (file: string) => async (req: FastifyRequest, reply: FastifyReply) => {
    const page = pageOf(file, req.hostname);
    const policy = String(reply.raw.getHeader('content-security-policy'));
    reply.headers({
      'content-security-policy': policy.replace('script-src', `script-src ${page.scriptHashes.join(' ')}`),
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      etag: page.etag,
    });
    if (req.headers['if-none-match'] === page.etag) return reply.code(304).send();
    reply.type('text/html; charset=utf-8');
    if (!takesBrotli(String(req.headers['accept-encoding'] ?? ''))) return reply.send(page.html);
    return reply.header('content-encoding', 'br').send(page.brotli);
  };
  app.get('/', serve('index.html'));
  app.get('/index.html', serve('index.html'));
  app.get('/silent.html', serve('silent.html'));
}
