import { API_BASE } from '@cordon/contract';

/** The name of the variable that holds a token in lines for a shell. */
export const TOKEN_VARIABLE = 'CORDON_TOKEN';

/** Of a line for a shell: who calls. */
export const curlAuthorization = `-H "Authorization: Bearer $${TOKEN_VARIABLE}"`;

/** As a shell takes it in single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A line for a shell that posts a body to a call below `API_BASE`. */
export const curlPost = (path: string, body: object): string =>
  [
    `curl -X POST ${window.location.origin}${API_BASE}${path} \\`,
    `  ${curlAuthorization} \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join('\n');
