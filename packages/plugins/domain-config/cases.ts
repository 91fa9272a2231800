import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

const on = { is_bypass_acme: true };
const path = '/.well-known/acme-challenge/LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0';
const passes = { verdict: 'pass' } as const;
const allowed = { verdict: 'allow', reason: 'acme_challenge', rule: '/.well-known/acme-challenge/' } as const;

export const cases: readonly PluginCase<z.input<typeof schema>>[] = [
  { name: 'a challenge passes all protection', config: on, request: { path }, expect: allowed },
  { name: 'asked for with HEAD as well', config: on, request: { path, method: 'HEAD' }, expect: allowed },
  {
    name: 'a token of one character is one',
    config: on,
    request: { path: '/.well-known/acme-challenge/a' },
    expect: allowed,
  },
  {
    name: 'and so is one of 128',
    config: on,
    request: { path: `/.well-known/acme-challenge/${'_-aZ09'.repeat(22).slice(0, 128)}` },
    expect: allowed,
  },
  { name: 'by default it is a request like any other', config: {}, request: { path }, expect: passes },
  { name: 'other paths', config: on, request: { path: '/' }, expect: passes },
  { name: 'nothing is sent to a challenge', config: on, request: { path, method: 'POST' }, expect: passes },
  { name: 'a query is none of it', config: on, request: { path: `${path}?a=<script>` }, expect: passes },
  {
    name: 'no token',
    config: on,
    request: { path: '/.well-known/acme-challenge/' },
    expect: passes,
  },
  {
    name: 'a token longer than any',
    config: on,
    request: { path: `/.well-known/acme-challenge/${'a'.repeat(129)}` },
    expect: passes,
  },
  { name: 'a path below the token', config: on, request: { path: `${path}/admin` }, expect: passes },
  { name: 'a folder beside', config: on, request: { path: '/.well-known/acme-challenges/a' }, expect: passes },
  { name: 'the path in another case', config: on, request: { path: path.toUpperCase() }, expect: passes },
  {
    name: 'what leads elsewhere on an origin that reads parameters of a path',
    config: on,
    request: { path: '/.well-known/acme-challenge/a;/../../admin' },
    expect: passes,
  },
  {
    name: 'what leads elsewhere on an origin that resolves escaped dots',
    config: on,
    request: { path: '/.well-known/acme-challenge/..%2f..%2fadmin' },
    expect: passes,
  },
  {
    name: 'what only nginx would read as a challenge',
    config: on,
    request: { path: '/x/..//.well-known/acme-challenge/a' },
    expect: passes,
  },
  { name: 'an escaped letter', config: on, request: { path: '/.well-known/acme-challenge/%61' }, expect: passes },
  { name: 'a byte that is no letter', config: on, request: { path: `${path}.` }, expect: passes },
];
