import { parseDomainName, UPSTREAM_PORTS } from '@cordon/contract';
import { readTypedTarget } from '../../domain/model/target-text';

/** Scheme, user, host, port, and what follows them. */
const URL_PARTS = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/?#\s]*@)?([^/:?#\s]+)(?::\d+)?(?:[/?#]\S*)?$/i;

/** The name in a text that is a URL and no name; undefined where there is none, or the text is a name already. */
export function nameOfUrl(text: string): string | undefined {
  const name = URL_PARTS.exec(text)?.[1];
  return name !== undefined && name !== text && parseDomainName(name).ok ? name : undefined;
}

/** What a cell lists. */
const PIECES = /[^\s;,|；，、｜]+/g;

/** A cell of names with the URLs in it turned into names; undefined where there are none. */
export function withoutUrls(cell: string): string | undefined {
  const changed = cell.replace(PIECES, (one) => nameOfUrl(one) ?? one);
  return changed === cell ? undefined : changed;
}

/**
 * A cell of targets with the URLs in it split as the form of a target does it, and the protocol that they ask for;
 * undefined where there are none, or where they ask for different ones.
 */
export function targetsOfUrls(cell: string, protocol: string): { upstreams: string; protocol: string } | undefined {
  const typed = (cell.match(PIECES) ?? []).map(readTypedTarget);
  const asked = new Set(typed.flatMap((one) => one.protocol ?? []));
  const [wanted] = asked;
  if (wanted === undefined || asked.size > 1) return undefined;
  const usual = UPSTREAM_PORTS[wanted];
  // Targets that match the visitor's protocol have no port.
  const isMatching = /^http[_+/&]https$/i.test(protocol) && typed.every(({ port = usual }) => port === usual);
  const upstreams = cell.replace(PIECES, (one) => {
    const { host, port, protocol: ofUrl } = readTypedTarget(one);
    if (ofUrl === undefined) return one;
    if (port === undefined || port === usual) return host;
    return `${host.includes(':') ? `[${host}]` : host}:${port}`;
  });
  return { upstreams, protocol: isMatching ? protocol : wanted };
}
