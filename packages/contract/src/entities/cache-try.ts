import { z } from 'zod';
import { edgeStoredObject } from '../edge-config.ts';
import { cacheDevice } from '../enumerations.ts';
import { text } from '../text.ts';

/** A URL that is tried in a domain's cache, as a browser asks for it. */
export const cacheTryInput = z.strictObject({
  url: text(4096, { exact: true }).describe(
    'Absolute, of a name of the domain, or a path, then of its main name; with its query.',
  ),
  scheme: z.enum(['http', 'https']).default('https').describe('Of a path.'),
  device: cacheDevice.default('desktop').describe('What the User-Agent says.'),
  language: text(100)
    .regex(/^[\w\-*;=., ]*$/)
    .default('')
    .describe('Value of Accept-Language; empty: none.'),
  headers: z
    .array(
      z.strictObject({
        name: text(100).regex(/^[A-Za-z0-9-]+$/),
        value: text(1000).regex(/^[ -~]*$/),
      }),
    )
    .max(10)
    .default([])
    .describe('Further fields, or others in the place of those of a browser.'),
});
export type CacheTryInput = z.output<typeof cacheTryInput>;

const at = z.number().int().describe('Unix seconds, when the nodes had answered.');

const tryNode = z.object({
  name: z.string(),
  state: z.enum(['answered', 'silent']).describe('`silent`: it is not connected, or did not answer within 2 s.'),
  objects: z
    .object({
      br: edgeStoredObject.nullable(),
      gzip: edgeStoredObject.nullable(),
      identity: edgeStoredObject.nullable(),
    })
    .nullable()
    .describe('What it has stored for each encoding; null where it has not answered.'),
  varies_by: z
    .string()
    .optional()
    .describe('Names of headers, where it has copies for other values of them, and none for those of the request.'),
});
export type CacheTryNode = z.infer<typeof tryNode>;

const tryBefore = z.object({
  outcome: z.enum(['pass', 'block', 'challenge', 'redirect']).describe('For a visitor with the address of who asks.'),
  step: z.string().describe('Of the trace, where it is not passed; else empty.'),
  plugin: z.string().describe('Which one, where the step is `plugin`.'),
  reason: z.string(),
  status: z.number().int().nullable(),
  location: z.string(),
});

const tryKey = z.object({
  query: z.string().describe('The part of the query that makes another object.'),
  left_out: z.array(z.string()).describe('Arguments that do not.'),
  device: cacheDevice.nullable().describe('Null: devices share an object.'),
  language: z.string().nullable().describe('Null: languages share an object.'),
  languages: z.array(z.string()).describe('Those that have objects of their own.'),
  is_sliced: z.boolean().describe('The file is stored in slices of 4 MiB.'),
});

const tryPolicy = z.object({
  default_seconds: z.number().int().describe('For answers that state no lifetime; 0: none.'),
  default_statuses: z.array(z.number().int()),
  default_types: z.array(z.string()).describe('Media types and families; empty: all.'),
  is_default_forced: z.boolean().describe('It takes the place of a lifetime that the origin states.'),
  cache_control: z.string().describe('Directives for answers that have none; empty: none.'),
  overrides_cache_control: z.boolean().describe("They take the place of the origin's."),
  stale_if_error_seconds: z.number().int(),
  stale_while_revalidate_seconds: z.number().int(),
  obeys_requests: z.boolean(),
});

const askedSeconds = z.number().int().nullable();

const tryAsked = z
  .object({
    no_store: z.boolean(),
    no_cache: z.boolean(),
    no_transform: z.boolean(),
    only_if_cached: z.boolean(),
    max_age: askedSeconds,
    max_stale: askedSeconds,
    min_fresh: askedSeconds,
    stale_if_error: askedSeconds,
  })
  .describe(
    'What Cache-Control and Pragma of the request ask of the cache (RFC 9111 5.2.1), as nodes read it. Seconds; null: not stated, -1: no number.',
  );

/** What the cache of a domain does with a URL, why, and what each node has of it now. */
export const cacheTry = z.object({
  version: z.number().int().describe('The live one.'),
  is_paused: z.boolean().describe('The protection is paused.'),
  request: z.object({
    scheme: z.enum(['http', 'https']),
    host: z.string(),
    path: z.string(),
    query: z.string(),
  }),
  before: tryBefore,
  plugin: z.string().nullable().describe('Which one keeps answers; null: none does.'),
  bypass: z.string().nullable().describe('Why the request passes by the cache; null: it is looked for.'),
  key: tryKey.nullable(),
  policy: tryPolicy.nullable(),
  asked: tryAsked.nullable().describe('Null: the domain obeys no directives of requests, or the request has none.'),
  nodes: z.array(tryNode).describe('Of the czone, by name.'),
  at,
});
export type CacheTry = z.infer<typeof cacheTry>;

/** This cache's own words of Cache-Status (RFC 9211). */
const fetchCache = z.object({
  is_hit: z.boolean(),
  forward: z.string().nullable().describe('Why the origin was asked.'),
  forward_status: z.number().int().nullable().describe('What it answered.'),
  is_stored: z.boolean(),
  ttl: z.number().int().nullable().describe('Seconds for which the answer is still fresh; below 0: it is stale.'),
  detail: z.string().nullable().describe('Why it was not stored, or passed by the cache.'),
});

/** What became of a request that a node has made itself. */
export const cacheFetch = z.object({
  node: z.string(),
  status: z.number().int().nullable().describe('Null: not answered to its end in time.'),
  cache: fetchCache.nullable().describe('Null: the cache had nothing to do with it.'),
  cache_control: z.string().describe('As visitors get it; empty: none.'),
  vary: z.string(),
  age: z.number().int().nullable(),
  content_type: z.string(),
  content_encoding: z.string(),
  sets_cookie: z.boolean(),
  bytes: z.number().int(),
  milliseconds: z.number(),
  nodes: z.array(tryNode).describe('What they have stored by now.'),
  at,
});
export type CacheFetch = z.infer<typeof cacheFetch>;
