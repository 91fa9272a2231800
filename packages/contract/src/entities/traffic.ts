import { z } from 'zod';
import { cacheSummary } from './cache-totals.ts';
import { timestamp } from './routes.ts';

export const trafficRange = z.enum(['15m', '1h', '24h', '7d']).describe('Look-back from now.');
export type TrafficRange = z.infer<typeof trafficRange>;

export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;
export const statusClass = z.enum(STATUS_CLASSES).describe('First digit of the status that visitors got.');
export type StatusClass = z.infer<typeof statusClass>;

/** Domains in a list of those with most requests of a kind. */
export const TOP_DOMAINS_MAX = 100;

/** Points of the small chart of a domain's row. */
export const DOMAIN_TRAFFIC_POINTS = 24;

const blocked = z
  .number()
  .int()
  .describe('Refused by a plugin or by the edge itself. Challenged requests are none of them.');
const challenged = z
  .number()
  .int()
  .describe(
    'Answered with a challenge (by the plugin `challenge` or a custom rule) in place of the site: with a page, or with 403 and JSON where no page is accepted. A visitor that asks again before it has proved itself counts again. Of a plugin that only has visitors wait, the waits, which are in no other figure of challenges.',
  );
const passed = z
  .number()
  .int()
  .describe('Proofs that were accepted: one for each time that a visitor met its challenge and was let in.');

const trafficPoint = z.object({
  time: timestamp.describe('Start of the bucket.'),
  requests: z.number().int(),
  bytes: z.number().int().describe('Sent to visitors.'),
  blocked,
  challenged,
  passed,
  status_2xx: z.number().int(),
  status_3xx: z.number().int(),
  status_4xx: z.number().int(),
  status_5xx: z.number().int(),
});

const trafficTotals = trafficPoint.omit({ time: true });

/** What a plugin did to requests. */
export const pluginEffect = z.object({
  plugin: z.string(),
  requests: z.number().int().describe('That it decided, whatever it decided.'),
  challenged,
  passed: passed
    .nullable()
    .describe(
      'Proofs that were accepted, or waits that were over; null where this plugin challenged nothing, or not alone: a proof is of the domain.',
    ),
});
export type PluginEffect = z.infer<typeof pluginEffect>;

/** Everything the dashboard shows of one range: what is counted of all requests from one reading, so that the parts agree. */
export const trafficOverview = z.object({
  range: trafficRange,
  from: timestamp,
  to: timestamp,
  bucket_seconds: z.number().int(),
  totals: trafficTotals,
  previous: trafficTotals.describe('The range of equal length before, for the change.'),
  series: z.array(trafficPoint),
  cache: cacheSummary.describe(
    'What the cache did for the same domains, counted as `getCacheOverview` does. Read beside the totals: a request that is stored meanwhile may be in one of them alone.',
  ),
  stopped_by_reason: z
    .array(
      z.object({
        plugin: z.string(),
        reason: z.string(),
        action: z.enum(['block', 'challenge']),
        requests: z.number().int(),
      }),
    )
    .describe(
      'Blocked and challenged requests, and those that had to wait (action `challenge`), by plugin and reason, most first.',
    ),
  plugins: z.array(pluginEffect).describe('What each plugin did, most first: of the same requests as the totals.'),
  countries: z.array(z.object({ country: z.string(), requests: z.number().int(), blocked: z.number().int() })),
  top_domains: z.array(
    z.object({
      route_id: z.string(),
      domain_name: z.string(),
      requests: z.number().int(),
      bytes: z.number().int(),
      blocked,
      challenged,
      passed,
    }),
  ),
});
export type TrafficOverview = z.infer<typeof trafficOverview>;

/** Domains with most blocked requests in a range, all or of one reason; or with most requests (of a status class, from a country) or bytes. */
export const topDomains = z.object({
  domains: z
    .array(
      z.object({
        route_id: z.string(),
        domain_name: z.string(),
        requests: z.number().int().describe('Those of the country or the reason, where one was asked for; else all.'),
        blocked: z.number().int().describe('Of these.'),
        value: z
          .number()
          .int()
          .describe('What the domains are ordered by: requests, bytes, challenged or blocked requests.'),
      }),
    )
    .max(TOP_DOMAINS_MAX),
  count: z.number().int().describe('How many domains there are, those that are not listed included.'),
});
export type TopDomains = z.infer<typeof topDomains>;

/** The last 24 hours of one domain, for its row in a list. */
export const domainTraffic = z.object({
  route_id: z.string(),
  requests: z.number().int(),
  blocked,
  challenged,
  passed,
  status_5xx: z.number().int(),
  bytes: z.number().int(),
  hit_ratio: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe(
      'As `getCacheOverview` counts it, of these hours: 0 where no cache was on; null where no request came as far as a cache or an origin. Read beside the numbers: a request that is stored meanwhile may be in one of them alone.',
    ),
  cached: z.boolean().describe('Whether a cache was on for any of the requests.'),
  series: z
    .array(z.object({ requests: z.number().int(), blocked: z.number().int() }))
    .length(DOMAIN_TRAFFIC_POINTS)
    .describe('By the hour, oldest first; the last hour is still being counted.'),
});
export type DomainTraffic = z.infer<typeof domainTraffic>;

/** One of the last requests of a domain (the access log shows the last 100, spec section 9). */
export const loggedRequest = z.object({
  time: timestamp,
  request_id: z.string(),
  route_id: z.string().describe('The domain that served it.'),
  domain_name: z.string().describe('Host as requested.'),
  method: z.string(),
  path: z.string().describe('Decoded and resolved.'),
  raw_path: z
    .string()
    .describe('As it was sent, where origins may read another path in it; `-` where it may hold a secret.'),
  query: z.string(),
  scheme: z.string(),
  status: z.number().int(),
  bytes_sent: z.number().int(),
  duration_ms: z.number(),
  client_address: z.string(),
  country: z.string(),
  user_agent: z.string(),
  referer: z.string(),
  plugin: z.string(),
  action: z.string(),
  reason: z.string(),
  rule: z.string(),
  upstream_status: z.number().int(),
  version: z.number().int().describe('Version of the domain that judged it.'),
  is_test: z.boolean().describe('A test attack, which no visitor sent and no origin is asked about.'),
});
