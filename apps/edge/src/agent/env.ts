import { existsSync } from 'node:fs';
import { parseRange } from '@cordon/contract/address';
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65535);
const commaList = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );

/** Environment of the agent. Empty values count as absent. Documented in docs/operating.md. */
const environment = z.object({
  CORDON_CONTROL_URL: z.url().describe('Address of the API, without `/api/v1/`.'),
  CORDON_NODE_CREDENTIAL: z.string().min(1).describe('Given by `operator node add`.'),
  CORDON_NODE_NAME: z.string().min(1).max(64).default('local'),
  CORDON_EDGE_DIR: z.string().min(1).describe('Data of the agent and nginx: logs, local snapshot, certificate.'),
  CORDON_BIND: z.string().default('127.0.0.1').describe('Address that visitors are served on.'),
  CORDON_EDGE_HTTP_PORT: port.min(1).default(8080),
  CORDON_EDGE_HTTPS_PORT: port.min(1).default(8443),
  CORDON_AGENT_PORT: port.default(0).describe('Health and metrics on 127.0.0.1; 0: a free port.'),
  CORDON_UPSTREAM_ALLOW: commaList.describe('Exact `address:port` exceptions to the refusal of special addresses.'),
  CORDON_TRUSTED_PROXIES: commaList.refine(
    (entries) => entries.every((entry) => parseRange(entry)),
    'has an entry that is neither an address nor a range',
  ),
  CORDON_RESOLVER: commaList.describe("DNS servers, `address` or `address:port`; the system's own when empty."),
  CORDON_DEMO_SECRET: z.string().default(''),
  CORDON_EDGE_WORKERS: z.coerce.number().int().min(1).max(256).optional().describe('One for each core by default.'),
  CORDON_EDGE_ROUTES_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(65536)
    .default(512)
    .describe('Memory for routes; 100,000 domains need about 430.'),
  CORDON_EDGE_FEEDS_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(65536)
    .default(64)
    .describe('Memory for banned and allowed addresses; about 150 bytes each.'),
  CORDON_EDGE_COUNTERS_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(65536)
    .default(32)
    .describe('Memory for counts of requests by client; when it is full, the clients that send least are forgotten.'),
  CORDON_EDGE_LOG_DISK_MB: z.coerce
    .number()
    .int()
    .min(16)
    .default(2048)
    .describe('Disk for access logs that the control plane has not taken; beyond it the oldest are dropped.'),
  CORDON_EDGE_RESOLVE_SECONDS: z.coerce.number().min(0.1).max(3600).default(30),
  CORDON_CA_BUNDLE: z
    .string()
    .default('')
    .describe("PEM file of the CA certificates that https origins are verified by; the system's when empty."),
  CORDON_COUNTRY_DATABASE: z
    .string()
    .default('')
    .describe('MaxMind DB file of the countries of addresses, read again when it changes; the shipped one when empty.'),
  CORDON_NGINX: z.string().default('/usr/sbin/nginx'),
  CORDON_NGINX_MODULES: z.string().default('/usr/lib/nginx/modules'),
});

export type AgentEnvironment = z.output<typeof environment>;

/** Parses the environment, or throws one Error that names every fault. */
export function readEnvironment(variables: NodeJS.ProcessEnv): AgentEnvironment {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  const faults = parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  for (const name of ['CORDON_CA_BUNDLE', 'CORDON_COUNTRY_DATABASE']) {
    const file = given[name];
    if (file !== undefined && !existsSync(file)) faults.push(`${name}: ${file} does not exist`);
  }
  const nginx = given.CORDON_NGINX ?? '/usr/sbin/nginx';
  if (!existsSync(nginx)) faults.push(`CORDON_NGINX: ${nginx} does not exist`);
  if (!parsed.success || faults.length > 0) throw new Error(`The environment has faults:\n  ${faults.join('\n  ')}`);
  return parsed.data;
}
