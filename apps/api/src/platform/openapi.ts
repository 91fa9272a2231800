import { API_BASE, type Operation, type Rate, scopesOf } from '@cordon/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

type JsonSchema = Record<string, unknown>;

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    reused: 'inline',
  }) as JsonSchema;
  return rest;
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): JsonSchema[] {
  if (!schema) return [];
  const described = jsonSchema(schema, 'input') as { properties?: Record<string, JsonSchema>; required?: string[] };
  return Object.entries(described.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (described.required ?? []).includes(name),
    ...(property.description === undefined ? {} : { description: property.description }),
    schema: property,
  }));
}

const HEADERS = {
  realm: {
    name: 'Realm',
    in: 'header',
    required: false,
    description: 'Realm of the issuer; not asked of API tokens.',
    schema: { type: 'string' },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    required: true,
    description: 'Revision that the change is based on, as in "12".',
    schema: { type: 'string' },
  },
  prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: '`return=minimal` leaves out of the answer what the caller knows (RFC 7240 4.2).',
    schema: { type: 'string' },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'The same key answers the first answer again.',
    schema: { type: 'string', maxLength: 255 },
  },
};

const errorSchema: JsonSchema = {
  type: 'object',
  description:
    'Flat: either `code`, or one key per wrong field with its code; a field that is called like another key here is `field.<name>`.',
  required: ['success', 'message', 'request_id'],
  properties: {
    success: { const: false },
    code: { type: 'string' },
    message: { type: 'string' },
    request_id: { type: 'string' },
    params: { type: 'object' },
  },
  additionalProperties: { type: 'string' },
};

const describeRate = ({ name, burst, perMinute }: Rate): JsonSchema => ({ name, burst, per_minute: perMinute });

const listed = (words: readonly string[], type: 'conjunction' | 'disjunction'): string =>
  new Intl.ListFormat('en', { type }).format(words.map((word) => `\`${word}\``));

function describeScopes(operation: Operation): string {
  const scopes = scopesOf(operation);
  const { scopeByQuery, narrowScope, filterScope } = operation;
  const besides = filterScope === undefined ? '' : ` (with \`${filterScope}\` for a filter that has conditions)`;
  const narrow = narrowScope === undefined ? '' : `, or \`${narrowScope}\` alone${besides}`;
  const always =
    scopes.length === 0
      ? ''
      : `API tokens need the scope${scopes.length === 1 ? '' : 's'} ${listed(scopes, 'conjunction')}${narrow}.`;
  if (!scopeByQuery) return always;
  const { field, values, scope } = scopeByQuery;
  return `${always} With ${listed(values, 'disjunction')} as \`${field}\` they need \`${scope}\` too.`;
}

const okOf = ({ ok, okMinimal }: Operation) => (okMinimal ? z.union([ok, okMinimal]) : ok);

function describeOperation(name: string, operation: Operation): JsonSchema {
  const isWrite = operation.method !== 'GET' && operation.auth === 'user';
  const { rate, itemRate } = operation;
  const description = [
    describeScopes(operation),
    rate === 'none'
      ? ''
      : `At most ${rate.burst} calls at once and ${rate.perMinute} a minute in an account, together with all calls of the rate \`${rate.name}\`; beyond it 429.`,
    itemRate === undefined
      ? ''
      : `Items of \`${itemRate.field}\`: at most ${itemRate.rate.burst} at once and ${itemRate.rate.perMinute} a minute, together with those of all calls of the rate \`${itemRate.rate.name}\`.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
  return {
    operationId: name,
    summary: operation.summary,
    ...(description === '' ? {} : { description }),
    ...(rate === 'none' ? {} : { 'x-rate-limit': describeRate(rate) }),
    ...(itemRate === undefined
      ? {}
      : { 'x-item-rate-limit': { field: itemRate.field, ...describeRate(itemRate.rate) } }),
    tags: [operation.path.split('/')[0]],
    security: operation.auth === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...parameters(operation.params, 'path'),
      ...parameters(operation.query, 'query'),
      ...(operation.auth === 'user' ? [HEADERS.realm] : []),
      ...(operation.ifMatch ? [HEADERS.ifMatch] : []),
      ...(operation.okMinimal ? [HEADERS.prefer] : []),
      ...(isWrite ? [HEADERS.idempotencyKey] : []),
    ],
    ...(operation.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(operation.body, 'input') } },
          },
        }
      : {}),
    ...(operation.consumes
      ? { requestBody: { required: true, content: { [operation.consumes]: { schema: { type: 'string' } } } } }
      : {}),
    responses: {
      [operation.status ?? 200]: {
        description: 'Success.',
        content: {
          [operation.streams ?? 'application/json']: {
            schema: operation.streams ? { type: 'string' } : jsonSchema(okOf(operation), 'output'),
          },
        },
      },
      default: {
        description: 'Failure.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

/** The OpenAPI 3.1 document of the contract, without operations of `auth: 'machine'`: they are internal. */
export function openApiDocument(origin: string, contract: Readonly<Record<string, Operation>>): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [name, operation] of Object.entries(contract)) {
    if (operation.auth === 'machine') continue;
    const path = `/${operation.path}`;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(name, operation) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Cordon API', version: '1' },
    servers: [{ url: `${origin}${API_BASE.replace(/\/$/, '')}` }],
    paths,
    components: { schemas: { Error: errorSchema }, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
}

/** GET /api/v1/openapi.json, unauthenticated. */
export function mountOpenApi(
  app: FastifyInstance,
  origin: string,
  contract: Readonly<Record<string, Operation>>,
): void {
  let document: string | undefined;
  app.get(`${API_BASE}openapi.json`, async (_req, reply) => {
    document ??= JSON.stringify(openApiDocument(origin, contract));
    return reply.header('cache-control', 'public, max-age=60').type('application/json; charset=utf-8').send(document);
  });
}
