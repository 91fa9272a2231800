import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { ResolvedPages } from './resolve.ts';
import type { schema } from './schema.ts';

type Case = PluginCase<z.input<typeof schema>>;

const config: Case['config'] = { error_404: 'https://pages.example/404.html', error_502: 'https://pages.example/502' };
const resolved: ResolvedPages = {
  pages: [
    { status: 404, contentType: 'text/html; charset=utf-8', body: '<h1>Nothing here: 未找到</h1> {{request_id}}' },
    { status: 502, contentType: 'text/plain; charset=utf-8', body: 'Back soon' },
    { status: 403, contentType: 'text/html; charset=utf-8', body: '<body><p>No</p></body></html>' },
    { status: 401, contentType: 'text/html; charset=utf-8', body: '<p>Who?' },
  ],
};
const LINE =
  '<p style="margin:16px;text-align:center;font:13px/1.5 system-ui,sans-serif">Request ID: <code>{{request_id}}</code></p>';
const page404 = resolved.pages[0]?.body ?? '';

export const cases: readonly Case[] = [
  {
    name: 'the page takes the place of the origin’s, with the origin’s status and the id of the request',
    config,
    resolved,
    request: { path: '/missing' },
    origin: { status: 404, headers: { 'Content-Type': 'application/json', ETag: '"1"', 'X-Own': 'stays' } },
    expect: {
      verdict: 'pass',
      answer: { status: 404, body: page404, fields: { 'content-type': 'text/html; charset=utf-8', 'x-own': 'stays' } },
    },
  },
  {
    name: 'a program that asks for JSON gets what the origin answers',
    config,
    resolved,
    request: { path: '/missing', host: 'error-page-json.test', headers: { Accept: 'application/json' } },
    origin: { status: 404, headers: { 'Content-Type': 'application/json' } },
    expect: {
      verdict: 'pass',
      answer: { status: 404, body: 'origin of error-page-json.test', fields: { 'content-type': 'application/json' } },
    },
  },
  {
    name: 'whatever the method',
    config,
    resolved,
    request: { path: '/missing', method: 'POST' },
    origin: { status: 502 },
    expect: {
      verdict: 'pass',
      answer: {
        status: 502,
        body: 'Back soon\n\nRequest ID: {{request_id}}\n',
        fields: { 'content-type': 'text/plain; charset=utf-8' },
      },
    },
  },
  {
    name: 'a page without a place for the id of the request gets it at its end',
    config,
    resolved,
    request: { path: '/secret' },
    origin: { status: 403 },
    expect: { verdict: 'pass', answer: { status: 403, body: `<body><p>No</p>${LINE}</body></html>` } },
  },
  {
    name: 'also one whose body has no end',
    config,
    resolved,
    request: { path: '/own' },
    origin: { status: 401 },
    expect: { verdict: 'pass', answer: { status: 401, body: `<p>Who?${LINE}` } },
  },
  {
    name: 'a status without a page is the origin’s',
    config,
    resolved,
    request: { path: '/secret', host: 'error-page-others.test' },
    origin: { status: 425 },
    expect: { verdict: 'pass', answer: { status: 425, body: 'origin of error-page-others.test' } },
  },
  {
    name: 'what is no error is the origin’s',
    config,
    resolved,
    request: { host: 'error-page-fine.test' },
    expect: { verdict: 'pass', answer: { status: 200, body: 'origin of error-page-fine.test' } },
  },
  {
    name: 'nothing is replaced while nothing was fetched',
    config,
    request: { host: 'error-page-draft.test' },
    origin: { status: 404 },
    expect: { verdict: 'pass', answer: { status: 404, body: 'origin of error-page-draft.test' } },
  },
];
