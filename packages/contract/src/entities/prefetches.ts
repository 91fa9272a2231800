import { z } from 'zod';
import { CLEAR_READERS, PREFETCH_LIST_URLS_MAX, PREFETCH_URLS_MAX } from '../cache-targets.ts';
import { cacheDevice } from '../enumerations.ts';
import { text } from '../text.ts';
import { timestamp } from './routes.ts';

const URL_CHARACTERS_MAX = 4096;

const urls = (maximum: number) =>
  z
    .array(text(URL_CHARACTERS_MAX, { exact: true }))
    .max(maximum)
    .superRefine((values, ctx) => {
      for (const [place, value] of values.entries()) {
        const read = CLEAR_READERS.urls(value);
        if (!read.ok) ctx.addIssue({ code: 'custom', message: read.code, path: [place] });
      }
    });
const URLS =
  'Absolute, of a name of the domain, and asked for by the scheme that they have; or a path, asked for at all its exact names by http and https.';

/** What is to be fetched into the caches of nodes. */
export const prefetchRequest = z.strictObject({
  urls: urls(PREFETCH_URLS_MAX).min(1, 'REQUIRED').describe(URLS),
  refresh: z.boolean().default(false).describe('What is stored and still fresh is fetched again, too.'),
});
export type PrefetchRequest = z.infer<typeof prefetchRequest>;

/** What is fetched by itself after a deploy. */
export const prefetchListRequest = z.strictObject({
  urls: urls(PREFETCH_LIST_URLS_MAX).describe(`${URLS} None: there is no list.`),
  after_deploy: z.boolean().describe('It is fetched whenever a deploy, a roll-back too, has reached all nodes.'),
});
export type PrefetchListRequest = z.infer<typeof prefetchListRequest>;

/** The list of a domain. */
export const prefetchList = z.object({
  urls: z.array(z.string()).describe('As they were given, each once.'),
  after_deploy: z.boolean(),
  updated_at: timestamp.nullable(),
  updated_by: z.string().nullable(),
  skipped: z
    .object({
      code: z.string().describe('Code of an error.'),
      params: z.record(z.string(), z.union([z.string(), z.number()])).describe('Values for its message.'),
      version: z.number().int(),
      at: timestamp,
    })
    .nullable()
    .describe('Why it was not fetched after the last deploy; null where it was.'),
});
export type PrefetchList = z.infer<typeof prefetchList>;

const prefetchNode = z.object({
  name: z.string(),
  state: z
    .enum(['waiting', 'running', 'done', 'cancelled', 'timed_out', 'busy', 'silent'])
    .describe(
      '`timed_out`: half an hour was over before all were fetched; `busy`: the node had too many others to take it; `silent`: it was not heard of, from the beginning or for 30 s.',
    ),
  kept: z.number().int().describe('Fetched and stored.'),
  fresh: z.number().int().describe('Stored already.'),
  unkept: z.number().int().describe('Fetched, and not stored.'),
  failed: z.number().int().describe('Answered with an error, or not at all.'),
});
export type PrefetchNode = z.infer<typeof prefetchNode>;

const prefetchProblem = z.object({
  node: z.string(),
  url: z.string(),
  device: cacheDevice.nullable().describe('That the node has asked as.'),
  language: z.string().nullable(),
  status: z.number().int().describe('Of the answer; 0: there was none within 60 s.'),
  reason: z.string().describe('Why it was not stored, in a word of the cache; empty for errors.'),
});
export type PrefetchProblem = z.infer<typeof prefetchProblem>;

/** URLs that nodes fetch into their caches, kept for 30 days. */
export const prefetchSummary = z.object({
  id: z.uuid(),
  state: z.enum(['running', 'done', 'cancelled']).describe('`done`: no node works on it any more.'),
  first_urls: z.array(z.string()).describe('As they were given, three at most.'),
  url_count: z.number().int(),
  refresh: z.boolean(),
  cause: z.enum(['call', 'deploy']),
  version: z.number().int().nullable().describe('Of the deploy that it follows.'),
  created_at: timestamp,
  created_by: z
    .string()
    .describe('E-mail of who began it, or the name of the API token; of a deploy, whose list it is.'),
  ended_at: timestamp.nullable(),
  visits: z.number().int().describe('Requests of each node: URLs by names, schemes, devices and languages.'),
  left_out: z
    .number()
    .int()
    .describe('URLs of the list that would be refused by now, and were not asked for; 0 of what was begun by a call.'),
  nodes: z.array(prefetchNode).describe('Of the czone, by name.'),
});
export type PrefetchSummary = z.infer<typeof prefetchSummary>;

/** One of them whole. */
export const prefetch = prefetchSummary.extend({
  urls: z.array(z.string()).describe('As they were given, each once.'),
  problems: z.array(prefetchProblem).describe('What was not stored: the first 50 of each node.'),
});
export type Prefetch = z.infer<typeof prefetch>;
