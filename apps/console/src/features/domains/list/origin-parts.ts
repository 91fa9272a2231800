/** The first target of a summary with its port, and how many more there are. */
export interface OriginParts {
  readonly host: string;
  /** With its colon; empty where the visitor's own decides. */
  readonly port: string;
  readonly more: number;
}

const PORTS: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

/** Takes `https://192.0.2.1:8443, 192.0.2.2 +3` apart. A port that is not said is the protocol's. */
export function originParts(summary: string): OriginParts {
  const [, protocol = '', targets = '', unnamed = '0'] = /^(?:(https?):\/\/)?(.*?)(?: \+(\d+))?$/.exec(summary) ?? [];
  const [first = '', ...others] = targets.split(', ');
  const [, host = first, port] = /^(\[.+\]|[^:]+)(:\d+)$/.exec(first) ?? [];
  const isAddress6 = host.includes(':') && !host.startsWith('[');
  const implied = first === '' ? '' : (PORTS[protocol] ?? '');
  return {
    host: isAddress6 && implied !== '' ? `[${host}]` : host,
    port: port ?? implied,
    more: others.length + Number(unnamed),
  };
}
