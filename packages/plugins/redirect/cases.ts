import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

type Case = PluginCase<z.input<typeof schema>>;

const to = (location: string) => ({ verdict: 'redirect', status: 302, reason: 'redirected', location }) as const;

const fixed: readonly Case[] = [
  {
    name: 'everybody is sent to the address, whatever was asked for',
    config: { redirect_url: 'https://new.example.org/welcome?from=old#top' },
    request: { path: '/shop/shoes?page=2' },
    expect: to('https://new.example.org/welcome?from=old#top'),
  },
  {
    name: 'an address without a path is sent with one',
    config: { redirect_url: 'https://new.example.org' },
    request: { path: '/shop' },
    expect: to('https://new.example.org/'),
  },
  {
    name: 'other methods are sent on as well',
    config: { redirect_url: 'http://new.example.org:8080/' },
    request: { method: 'POST', path: '/form' },
    expect: to('http://new.example.org:8080/'),
  },
  {
    name: 'a name below the address’s is another name',
    config: { redirect_url: 'https://redirect-parent.test/' },
    request: { host: 'www.redirect-parent.test' },
    expect: to('https://redirect-parent.test/'),
  },
];

const kept = (name: string, redirectUrl: string, path: string, location: string): Case => ({
  name: `keep path: ${name}`,
  config: { redirect_url: redirectUrl, preserve_path: true },
  request: { path },
  expect: to(location),
});

const withPath: readonly Case[] = [
  kept('path and query follow', 'https://n.test', '/a/b?x=1&y=2', 'https://n.test/a/b?x=1&y=2'),
  kept('a slash at the end is not doubled', 'https://n.test/base/', '/a', 'https://n.test/base/a'),
  kept('a slash that is missing is there', 'https://n.test/base', '/a', 'https://n.test/base/a'),
  kept('slashes that the visitor doubled stay', 'https://n.test/base/', '//a//', 'https://n.test/base//a//'),
  kept('two slashes name no other host', 'https://n.test', '//evil.test/x', 'https://n.test//evil.test/x'),
  kept('the front page is the address as written', 'https://n.test/page.html', '/', 'https://n.test/page.html'),
  kept('the front page with a query', 'https://n.test/page.html', '/?x=1', 'https://n.test/page.html?x=1'),
  kept('queries are joined', 'https://n.test/base?u=1', '/a?x=2', 'https://n.test/base/a?u=1&x=2'),
  kept('the query of the address stays alone', 'https://n.test/base/?u=1', '/a', 'https://n.test/base/a?u=1'),
  kept('a fragment comes last', 'https://n.test/base#part', '/a?x=2', 'https://n.test/base/a?x=2#part'),
  kept('empty queries are none', 'https://n.test/?', '/a?', 'https://n.test/a'),
  kept('a question mark in the query', 'https://n.test', '/a?x=?&y', 'https://n.test/a?x=?&y'),
  kept('nothing is decoded', 'https://n.test', '/a%2Fb%20%C3%A9?q=%26%20', 'https://n.test/a%2Fb%20%C3%A9?q=%26%20'),
  kept('a line break stays a path', 'https://n.test', '/%0d%0aX-Own:%201', 'https://n.test/%0d%0aX-Own:%201'),
  kept('dots are the browser’s to resolve', 'https://n.test/base', '/a/../b/./c', 'https://n.test/base/a/../b/./c'),
];

const looped = { verdict: 'block', status: 508, reason: 'redirect_loop' } as const;

/** What the API refuses, for whatever gets past it. */
const loops: readonly Case[] = [
  {
    name: 'the address’s own host is not sent there again',
    config: { redirect_url: 'https://redirect-own.test/new' },
    request: { host: 'redirect-own.test', path: '/old' },
    expect: looped,
  },
  {
    name: 'neither with another port, case or a dot at its end',
    config: { redirect_url: 'http://WWW.Redirect-Own.test.:8080/new', preserve_path: true },
    request: { host: 'www.redirect-own.test', path: '/old' },
    expect: looped,
  },
];

export const cases: readonly Case[] = [...fixed, ...withPath, ...loops];
