const DOT = 46;

/** Extensions of programs, in lower case, to which origins give what stands behind their name in a path (PATH_INFO). */
export const PROGRAM_EXTENSIONS: readonly string[] = [
  ...['action', 'ashx', 'asmx', 'asp', 'aspx', 'axd', 'cfc', 'cfm', 'cgi', 'dll', 'do', 'fcgi', 'jsf', 'jsp', 'jspx'],
  ...['lua', 'phar', 'php', 'php3', 'php4', 'php5', 'php7', 'php8', 'phtml', 'pl', 'py', 'rb', 'svc'],
];

type NameSet = Readonly<Record<string, boolean | undefined>>;

function setOf(names: readonly string[]): NameSet {
  const set: Record<string, boolean | undefined> = {};
  for (const name of names) set[name] = true;
  return set;
}

const isProgram = setOf(PROGRAM_EXTENSIONS);

/** In lower case, without its dot; empty when there is none. */
function extensionOf(segment: string): string {
  let start = segment.length;
  while (start > 0 && segment.charCodeAt(start - 1) !== DOT) start--;
  return start > 0 ? segment.substring(start).toLowerCase() : '';
}

function isFile(path: string, isListed: NameSet): boolean {
  if (!path.includes('.')) return false;
  // Servlets take what follows for parameters: `/login;x.css` is `/login`.
  if (path.includes(';')) return false;
  const segments = path.split('/');
  if (isListed[extensionOf(segments[segments.length - 1] as string)] !== true) return false;
  for (const segment of segments) {
    if (isProgram[extensionOf(segment)] === true) return false;
  }
  return true;
}

/** What tells paths of files with these extensions, in lower case (`EdgeKit.cacheableFiles`). */
export function cacheableFiles(this: void, extensions: readonly string[]): (this: void, path: string) => boolean {
  const isListed = setOf(extensions);
  return (path) => isFile(path, isListed);
}
