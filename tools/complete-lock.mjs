import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Adds the optional per-platform packages that a registry without them leaves out of package-lock.json: `npm ci`
 * refuses a lock that lacks them, even on platforms that never install them. Run after each change of dependencies.
 */
const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const platforms = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'openharmony',
  'win32',
  'sunos',
  'aix',
  'netbsd',
  'openbsd',
];
const processors = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'loong64', 'mips64el'];

let added = 0;
for (const [parent, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const at = `node_modules/${name}`;
    if (lock.packages[at] || lock.packages[`${parent}/node_modules/${name}`]) continue;
    const words = name.split('/').at(-1).split('-');
    const os = platforms.find((platform) => words.includes(platform));
    const cpu = processors.find((processor) => words.includes(processor));
    if (!cpu) throw new Error(`${name}: no processor in its name`);
    const libc = words.some((word) => word.startsWith('musl'))
      ? 'musl'
      : words.some((word) => word.startsWith('gnu'))
        ? 'glibc'
        : undefined;
    lock.packages[at] = {
      version,
      cpu: [cpu],
      ...(entry.dev ? { dev: true } : {}),
      ...(libc && os === 'linux' ? { libc: [libc] } : {}),
      optional: true,
      ...(os ? { os: [os] } : {}),
    };
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} optional packages added to package-lock.json`);
