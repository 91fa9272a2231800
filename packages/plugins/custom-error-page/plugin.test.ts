import { fieldErrorsOf } from '@cordon/contract';
import type { FetchedResource, PluginFault, PluginFaults } from '@cordon/plugin-kit';
import { schemaDefaults } from '@cordon/plugin-kit/schema';
import { describe, expect, it } from 'vitest';
import { definition } from './plugin.ts';
import { PAGE_BYTES_MAX, resolvePages } from './resolve.ts';
import { schema } from './schema.ts';

function faults(config: Record<string, unknown>): Record<string, string> {
  const parsed = schema.safeParse(config);
  return parsed.success ? {} : fieldErrorsOf(parsed.error).fields;
}

describe('the schema', () => {
  it('has no page to begin with (spec section 3), which is nothing to save', () => {
    const none = {
      error_401: null,
      error_403: null,
      error_404: null,
      error_425: null,
      error_451: null,
      error_502: null,
    };
    expect(schemaDefaults(schema)).toEqual(none);
    expect(faults({})).toEqual({ error_404: 'ERROR_PAGE_REQUIRED' });
  });

  it('takes an emptied field for none, and writes an address as it is asked for', () => {
    const config = schema.parse({ error_404: ' ', error_502: ' HTTPS://Pages.Example/ä ' });
    expect(config.error_404).toBeNull();
    expect(config.error_502).toBe('https://pages.example/%C3%A4');
  });

  it.each([
    'pages.example/404',
    '/404.html',
    'ftp://pages.example/',
    'javascript:alert(1)',
    'https://',
    'https://a b.example/',
    'https://pages.example/\r\nX: 1',
    'https://user:secret@pages.example/',
    'https://user@pages.example/',
    'https://:secret@pages.example/',
  ])('refuses %j', (url) => expect(faults({ error_404: url })).toEqual({ error_404: 'ERROR_PAGE_URL_INVALID' }));

  it('knows no other status', () =>
    expect(faults({ error_404: 'https://pages.example/', error_500: 'https://pages.example/' })).toEqual({
      error_500: 'UNKNOWN_FIELD',
    }));
});

const html: FetchedResource = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body: new TextEncoder().encode('<p>页面</p>'),
  isTruncated: false,
};
const config = schema.parse({ error_404: 'https://pages.example/a', error_502: 'https://pages.example/a' });
const faultsOf = (found: FetchedResource | undefined, asked: string[] = []): Promise<readonly PluginFault[]> =>
  resolvePages(config, {
    fetch: async (url) => {
      asked.push(url);
      return found;
    },
  }).then(
    () => {
      throw new Error('was taken');
    },
    (error: PluginFaults) => error.faults,
  );

describe('what is fetched', () => {
  it('is one page for each status, each address asked for once', async () => {
    const asked: string[] = [];
    const resolved = await resolvePages(config, {
      fetch: async (url, bytesMax) => {
        asked.push(`${url} ${bytesMax}`);
        return html;
      },
    });
    const page = { contentType: 'text/html; charset=utf-8', body: '<p>页面</p>' };
    expect(resolved).toEqual({
      pages: [
        { status: 404, ...page },
        { status: 502, ...page },
      ],
    });
    expect(asked).toEqual([`https://pages.example/a ${PAGE_BYTES_MAX}`]);
  });

  it('may itself come with the status of an error', async () =>
    expect((await resolvePages(config, { fetch: async () => ({ ...html, status: 404 }) })).pages).toHaveLength(2));

  it.each<[string, FetchedResource | undefined]>([
    ['ERROR_PAGE_UNREACHABLE', undefined],
    ...[300, 301, 302, 303, 307, 308].map((status): [string, FetchedResource] => [
      'ERROR_PAGE_REDIRECTS',
      { ...html, status },
    ]),
    ['ERROR_PAGE_STATUS', { ...html, status: 500 }],
    ['ERROR_PAGE_STATUS', { ...html, body: new Uint8Array() }],
    ['ERROR_PAGE_TOO_LARGE', { ...html, isTruncated: true }],
    ['ERROR_PAGE_NOT_HTML', { ...html, headers: { 'content-type': 'image/png' } }],
    ['ERROR_PAGE_NOT_HTML', { ...html, headers: {} }],
    ['ERROR_PAGE_NOT_HTML', { ...html, headers: { ...html.headers, 'content-encoding': 'gzip' } }],
    ['ERROR_PAGE_NOT_UTF8', { ...html, body: Uint8Array.of(0xff, 0xfe, 0x41) }],
  ])('is refused as %s', async (code, found) => {
    const asked: string[] = [];
    const faults = await faultsOf(found, asked);
    expect(faults.map((fault) => [fault.path, fault.code])).toEqual([
      ['error_404', code],
      ['error_502', code],
    ]);
    expect(asked).toHaveLength(1);
  });

  it('names every page that is of no use', async () => {
    const three = schema.parse({
      error_401: 'https://pages.example/1',
      error_404: 'https://pages.example/4',
      error_502: 'https://pages.example/5',
    });
    const fetch = async (url: string) =>
      url.endsWith('4') ? html : url.endsWith('1') ? undefined : { ...html, status: 500 };
    await expect(resolvePages(three, { fetch })).rejects.toMatchObject({
      faults: [
        { path: 'error_401', code: 'ERROR_PAGE_UNREACHABLE' },
        { path: 'error_502', code: 'ERROR_PAGE_STATUS', params: { status: 500 } },
      ],
    });
  });
});

it('is for every plan, and sums up the statuses', () => {
  expect(definition.tier).toBe('free');
  expect(definition.summary(config)).toEqual({
    message: 'summary.pages',
    params: { statuses: { list: ['404', '502'] } },
  });
});
