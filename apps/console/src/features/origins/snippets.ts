import { ORIGIN_KEY_HEADER } from '@cordon/contract';

export const SERVERS = ['nginx', 'apache', 'caddy', 'haproxy', 'iis', 'node', 'php'] as const;
export type ServerKind = (typeof SERVERS)[number];
export const FIREWALLS = ['ufw', 'iptables', 'nftables'] as const;
export type FirewallKind = (typeof FIREWALLS)[number];

export const SERVER_NAMES: Readonly<Record<ServerKind, string>> = {
  nginx: 'nginx',
  apache: 'Apache',
  caddy: 'Caddy',
  haproxy: 'HAProxy',
  iis: 'IIS',
  node: 'Node / Express',
  php: 'PHP / WordPress',
};

const lines = (...parts: readonly (string | readonly string[])[]): string => parts.flat().join('\n');
const quoted = (values: readonly string[], mark = "'") => values.map((value) => `${mark}${value}${mark}`).join(', ');

/** How a server takes the visitor's address from our header, trusted from our addresses only. */
const addressSnippets: Readonly<Record<ServerKind, (addresses: readonly string[]) => string>> = {
  nginx: (addresses) =>
    lines(
      '# /etc/nginx/conf.d/edge.conf',
      addresses.map((address) => `set_real_ip_from ${address};`),
      'real_ip_header X-Real-IP;',
    ),
  apache: (addresses) =>
    lines(
      '# a2enmod remoteip',
      'RemoteIPHeader X-Real-IP',
      addresses.map((address) => `RemoteIPTrustedProxy ${address}`),
    ),
  caddy: (addresses) =>
    lines(
      '{',
      '  servers {',
      `    trusted_proxies static ${addresses.join(' ')}`,
      '    client_ip_headers X-Real-IP',
      '  }',
      '}',
    ),
  haproxy: (addresses) =>
    lines(
      'frontend site',
      `  acl from_edge src ${addresses.join(' ')}`,
      '  http-request set-src hdr(X-Real-IP) if from_edge',
    ),
  iis: () =>
    lines(
      '<!-- applicationHost.config, in <site><logFile>: writes the visitor beside the edge -->',
      '<customFields>',
      '  <add logFieldName="visitor" sourceName="X-Real-IP" sourceType="RequestHeader" />',
      '</customFields>',
    ),
  node: (addresses) =>
    lines(`app.set('trust proxy', [${quoted(addresses)}]);`, '// req.ip and req.protocol are the visitor’s now'),
  php: (addresses) =>
    lines(
      '// At the top of wp-config.php or index.php',
      `if (in_array($_SERVER['REMOTE_ADDR'], [${quoted(addresses)}], true)) {`,
      "  $_SERVER['REMOTE_ADDR'] = $_SERVER['HTTP_X_REAL_IP'];",
      "  if ($_SERVER['HTTP_X_FORWARDED_PROTO'] === 'https') $_SERVER['HTTPS'] = 'on';",
      '}',
    ),
};

/** How a server turns away what does not carry one of the values. Each of them is base64url: nothing to escape. */
const lockSnippets: Readonly<Record<ServerKind, (values: readonly string[]) => string>> = {
  nginx: (values) =>
    lines(
      'map $http_cordon_origin_key $from_edge {',
      '  default 0;',
      values.map((value) => `  "${value}" 1;`),
      '}',
      'server {',
      '  if ($from_edge = 0) { return 403; }',
      '}',
    ),
  apache: (values) =>
    lines(`<If "! (%{HTTP:${ORIGIN_KEY_HEADER}} in { ${quoted(values)} })">`, '  Require all denied', '</If>'),
  caddy: (values) =>
    lines(
      '@foreign {',
      values.map((value) => `  not header ${ORIGIN_KEY_HEADER} "${value}"`),
      '}',
      'respond @foreign 403',
    ),
  haproxy: (values) => `  http-request deny unless { req.hdr(${ORIGIN_KEY_HEADER}) -m str ${values.join(' ')} }`,
  iis: (values) =>
    lines(
      '<!-- web.config, in <system.webServer><rewrite><rules>; needs the URL Rewrite module -->',
      '<rule name="Only through the edge" stopProcessing="true">',
      '  <match url=".*" />',
      '  <conditions>',
      `    <add input="{HTTP_CORDON_ORIGIN_KEY}" pattern="^(${values.join('|')})$" ignoreCase="false" negate="true" />`,
      '  </conditions>',
      '  <action type="CustomResponse" statusCode="403" statusReason="Forbidden" />',
      '</rule>',
    ),
  node: (values) =>
    lines(
      "import { timingSafeEqual } from 'node:crypto';",
      `const keys = [${quoted(values)}].map((key) => Buffer.from(key));`,
      'app.use((req, res, next) => {',
      `  const shown = Buffer.from(req.get('${ORIGIN_KEY_HEADER}') ?? '');`,
      '  const isKnown = keys.some((key) => key.length === shown.length && timingSafeEqual(key, shown));',
      '  return isKnown ? next() : res.sendStatus(403);',
      '});',
    ),
  php: (values) =>
    lines(
      `if (!in_array($_SERVER['HTTP_CORDON_ORIGIN_KEY'] ?? '', [${quoted(values)}], true)) {`,
      '  http_response_code(403);',
      '  exit;',
      '}',
    ),
};

export const addressSnippet = (server: ServerKind, addresses: readonly string[]): string =>
  addressSnippets[server](addresses);

export const lockSnippet = (server: ServerKind, values: readonly string[]): string => lockSnippets[server](values);

const isIpv6 = (address: string) => address.includes(':');

/** Lets only the edge in on the ports. */
export function firewallSnippet(
  firewall: FirewallKind,
  addresses: readonly string[],
  ports: readonly number[],
): string {
  if (firewall === 'ufw') {
    return lines(
      addresses.flatMap((address) => ports.map((port) => `ufw allow proto tcp from ${address} to any port ${port}`)),
      ports.map((port) => `ufw deny ${port}/tcp`),
    );
  }
  if (firewall === 'iptables') {
    const list = ports.join(',');
    const commands = (command: string, own: readonly string[]) => [
      ...own.map((address) => `${command} -A INPUT -p tcp -s ${address} -m multiport --dports ${list} -j ACCEPT`),
      `${command} -A INPUT -p tcp -m multiport --dports ${list} -j DROP`,
    ];
    return lines(
      commands(
        'iptables',
        addresses.filter((address) => !isIpv6(address)),
      ),
      commands('ip6tables', addresses.filter(isIpv6)),
    );
  }
  const list = `{ ${ports.join(', ')} }`;
  const accept = (family: 'ip' | 'ip6', own: readonly string[]) =>
    own.length === 0 ? [] : [`    ${family} saddr { ${own.join(', ')} } tcp dport ${list} accept`];
  return lines(
    'table inet edge {',
    '  chain input {',
    '    type filter hook input priority 0;',
    accept(
      'ip',
      addresses.filter((address) => !isIpv6(address)),
    ),
    accept('ip6', addresses.filter(isIpv6)),
    `    tcp dport ${list} drop`,
    '  }',
    '}',
  );
}
