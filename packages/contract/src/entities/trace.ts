import { z } from 'zod';

/** RFC 9110 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** A request to be traced: what a visitor would send, and what the edge would know about the visitor. */
export const tracedRequest = z.strictObject({
  method: z.string().min(1).max(32).regex(TOKEN, 'INVALID').default('GET'),
  url: z
    .string()
    .trim()
    .min(1)
    .max(8192)
    .describe('Absolute http or https address, or a path of the domain. Nothing of it is decoded or resolved.'),
  headers: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(256).regex(TOKEN, 'INVALID'),
        value: z.string().max(8192),
      }),
    )
    .max(250)
    .default([])
    .describe('A Host here goes before that of `url`.'),
  client_address: z.string().max(45).optional().describe("The visitor's; your own when left out."),
  country: z
    .string()
    .max(2)
    .regex(/^([A-Z]{2})?$/, 'INVALID')
    .default('')
    .describe('ISO 3166-1 alpha-2; empty: unknown. The edge finds it by the address, this call does not.'),
  crawler: z
    .string()
    .max(64)
    .default('')
    .describe('Name of the search engine that the visitor is taken to be proved as; empty: none.'),
  preview: z.boolean().default(false).describe('As with a valid preview header: the name need not point here yet.'),
  version: z
    .union([z.enum(['live', 'draft']), z.number().int().min(1).max(1_000_000)])
    .default('live')
    .describe('Which configuration judges it.'),
});

export const traceStep = z.object({
  step: z.enum(['request', 'host', 'ownership', 'loop', 'plugin', 'upstream', 'origin_limit', 'origin_tls']),
  plugin: z.string().describe("Name of the plugin of a plugin's step; empty otherwise."),
  outcome: z.enum(['pass', 'changes', 'allow', 'skipped', 'block', 'redirect', 'not_reached']),
  status: z.number().int().nullable().describe('Of the answer, where this step gives it.'),
  reason: z
    .string()
    .describe(
      "One of the plugin's reasons, or of the edge's own; `other_domain`: another domain of yours has the name.",
    ),
  rule: z.string().describe('The entry or rule that matched.'),
  location: z.string().describe('Where a redirect leads.'),
  detail: z
    .string()
    .describe(
      'The name that matched; the Host that a plugin sets; `origin_limit`: requests that may be open at the origin at a time, per node, empty for any number; `origin_tls`: `strict`, `custom` or `off`, empty without TLS.',
    ),
});
export type TraceStepRow = z.infer<typeof traceStep>;

export const tracedUpstream = z.object({
  protocol: z.enum(['http', 'https']),
  host_header: z.string().describe('Sent as Host and, over TLS, as server name.'),
  tries: z.number().int(),
  targets: z.array(
    z.object({
      host: z.string(),
      port: z.number().int(),
      share: z.number().describe('Of the requests while every target is healthy, 0 to 1.'),
      backup: z.boolean(),
      addresses: z.array(z.string()).describe('What a name resolves to now.'),
      refusal: z.enum(['forbidden', 'unresolved', 'rate_limited']).nullable(),
    }),
  ),
});

export const trace = z.object({
  version: z.number().int().nullable().describe('Null: the draft.'),
  request: z.object({
    method: z.string(),
    scheme: z.enum(['http', 'https']),
    host: z.string(),
    path: z.string(),
    query: z.string(),
    client_address: z.string(),
    country: z.string(),
  }),
  steps: z.array(traceStep).describe('In the order of the edge.'),
  answer: z.object({
    kind: z.enum(['origin', 'block', 'redirect']),
    status: z.number().int().nullable().describe("Null: the origin's."),
  }),
  upstream: tracedUpstream.nullable(),
  sent: z
    .array(z.object({ name: z.string(), value: z.string(), by: z.enum(['visitor', 'edge']) }))
    .describe(
      'Header fields that the origin gets. `{request id}` stands for 32 hex digits, `{origin key}` for the secret of the origin lock.',
    ),
  dropped: z
    .array(z.object({ name: z.string(), why: z.enum(['internal', 'forwarding', 'hop', 'replaced', 'invalid']) }))
    .describe("Header fields of the visitor's that the origin does not get."),
});
export type Trace = z.infer<typeof trace>;
