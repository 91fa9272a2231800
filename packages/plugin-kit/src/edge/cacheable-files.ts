const DOT = 46;
const SLASH = 47;

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

/** What is at most as long as most extensions is found without a loop: LuaJIT compiles nothing that leads to one. */
function extensionStart(path: string): number {
  const end = path.length;
  if (end < 7) return extensionStartBefore(path, end);
  const first = path.charCodeAt(end - 1);
  const second = path.charCodeAt(end - 2);
  if (first === SLASH || second === SLASH) return 0;
  if (first === DOT || second === DOT) return extensionStartBefore(path, end);
  const third = path.charCodeAt(end - 3);
  if (third === DOT) return end - 2;
  if (third === SLASH) return 0;
  const fourth = path.charCodeAt(end - 4);
  if (fourth === DOT) return end - 3;
  if (fourth === SLASH) return 0;
  const fifth = path.charCodeAt(end - 5);
  if (fifth === DOT) return end - 4;
  if (fifth === SLASH) return 0;
  const sixth = path.charCodeAt(end - 6);
  if (sixth === DOT) return end - 5;
  return sixth === SLASH ? 0 : extensionStartBefore(path, end - 6);
}

/** Where the extension of the last segment begins, as far as it does before `end`; 0 when it does not. */
function extensionStartBefore(path: string, end: number): number {
  let start = end;
  while (start > 0) {
    const code = path.charCodeAt(start - 1);
    if (code === DOT) return start;
    if (code === SLASH) return 0;
    start--;
  }
  return 0;
}

/** Whether a segment is a program's, whatever stands behind it. */
function hasProgram(path: string): boolean {
  for (const segment of path.split('/')) {
    const start = extensionStart(segment);
    if (start > 0 && isProgram[segment.substring(start).toLowerCase()] === true) return true;
  }
  return false;
}

function isFile(path: string, isListed: NameSet): boolean {
  const start = extensionStart(path);
  if (start === 0) return false;
  const extension = path.substring(start).toLowerCase();
  if (isListed[extension] !== true || isProgram[extension] === true) return false;
  // Servlets take what follows for parameters: `/login;x.css` is `/login`.
  if (path.includes(';')) return false;
  // Mostly there is no other dot, and no segment to be taken for a program.
  return path.indexOf('.') === start - 1 || !hasProgram(path);
}

/** What tells paths of files with these extensions, in lower case (`EdgeKit.cacheableFiles`). */
export function cacheableFiles(this: void, extensions: readonly string[]): (this: void, path: string) => boolean {
  const isListed = setOf(extensions);
  return (path) => isFile(path, isListed);
}
