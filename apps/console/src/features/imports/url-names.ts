import { parseDomainName } from '@cordon/contract';

/** Scheme, user, host, port, and what follows them. */
const URL_PARTS = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/?#\s]*@)?([^/:?#\s]+)(?::\d+)?(?:[/?#]\S*)?$/i;

/** The name in a text that is a URL and no name; undefined where there is none, or the text is a name already. */
export function nameOfUrl(text: string): string | undefined {
  const name = URL_PARTS.exec(text)?.[1];
  return name !== undefined && name !== text && parseDomainName(name).ok ? name : undefined;
}

/** A cell of names with the URLs in it turned into names; undefined where there are none. */
export function withoutUrls(cell: string): string | undefined {
  const changed = cell.replace(/[^\s;,|；，、｜]+/g, (one) => nameOfUrl(one) ?? one);
  return changed === cell ? undefined : changed;
}
