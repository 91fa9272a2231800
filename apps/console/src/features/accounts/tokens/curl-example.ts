import { API_BASE, type TokenScope } from '@cordon/contract';

/** A call for each scope that a new token can be tried with, the first that it may make. */
const EXAMPLES: readonly (readonly [TokenScope, string])[] = [
  ['domains:read', 'domain/routes/'],
  ['account:read', 'user/info/'],
  ['traffic:read', 'stats/overview/'],
  ['audit:read', 'user/audit/'],
];

/** A line for the shell that calls something which the scopes open, with the token in `$CORDON_TOKEN`. */
export function curlExample(origin: string, scopes: readonly TokenScope[]): string {
  const [, path] = EXAMPLES.find(([scope]) => scopes.includes(scope)) ?? [];
  const authorization = '  -H "Authorization: Bearer $CORDON_TOKEN"';
  if (path !== undefined) return `curl ${origin}${API_BASE}${path} \\\n${authorization}`;
  return [
    `curl -X POST ${origin}${API_BASE}domain/run/tasks/ \\`,
    `${authorization} \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"kind":"clear cache","selection":{"names":["example.com"]}}'`,
  ].join('\n');
}
