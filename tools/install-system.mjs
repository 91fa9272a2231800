import { spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Debian's packages by what they serve. `luajit2`, not `luajit`: that one cannot be installed beside the Lua module. */
const PACKAGES = {
  edge: [
    'nginx',
    'libnginx-mod-http-lua',
    'libnginx-mod-http-geoip2',
    'libnginx-mod-http-brotli-filter',
    'lua-cjson',
    'luajit2',
  ],
  dns: ['pdns-server', 'pdns-backend-pgsql', 'pdns-backend-bind'],
  tests: [
    ...['chromium', 'chromium-headless-shell', 'fonts-noto-cjk', 'wrk', 'dnsperf', 'bind9-dnsutils'],
    // They run the samples that forms show.
    ...['perl', 'php-cli', 'python3'],
  ],
};

const POLICY = '/usr/sbin/policy-rc.d';
const POLICY_SAVED = `${POLICY}.before-cordon`;
const POLICY_MARK = '# Written by Cordon while it installs packages; safe to delete.';
const LISTS = '/var/lib/apt/lists';
const LISTS_AGE_MAX_MS = 24 * 3600 * 1000;
const LOCK_WAIT_SECONDS_MAX = 300;

/**
 * Installs the system packages of the given groups that are missing, where we may. Resolves with the groups that stay
 * incomplete, after printing the one command that completes them.
 */
export async function installSystem(groups) {
  const missing = groups.flatMap((group) => PACKAGES[group].filter((name) => !isPresent(name)));
  if (missing.length === 0) return [];
  const incomplete = groups.filter((group) => PACKAGES[group].some((name) => missing.includes(name)));
  if (!existsSync('/usr/bin/apt-get')) {
    console.error(
      `Missing on this system: ${incomplete.join(', ')}. On Debian or Ubuntu: sudo apt-get install -y ${missing.join(' ')}`,
    );
    return incomplete;
  }
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0) {
    console.error(`To install what is missing (${incomplete.join(', ')}): sudo ${command}`);
    return incomplete;
  }
  console.log(`Installing ${missing.join(' ')} … (a minute or two)`);
  const outcome = await withoutStartingServices(() => install(missing));
  if (outcome.status === 0) return [];
  console.error(
    `${outcome.output.trim().split('\n').slice(-5).join('\n')}\nSome system packages could not be installed. Try: ${command}`,
  );
  return groups.filter((group) => PACKAGES[group].some((name) => !isPresent(name)));
}

/** Asked of dpkg's own files, since starting dpkg costs more than the rest of a warm start's checks. */
function isPresent(name) {
  if (existsSync('/var/lib/dpkg/info')) {
    return ['', ':amd64', ':arm64', ':armhf', ':i386', ':riscv64'].some((architecture) =>
      existsSync(`/var/lib/dpkg/info/${name}${architecture}.list`),
    );
  }
  const program = {
    nginx: 'nginx',
    luajit2: 'luajit',
    'pdns-server': 'pdns_server',
    chromium: 'chromium',
    wrk: 'wrk',
  }[name];
  if (!program) return true;
  return ['/usr/sbin', ...(process.env.PATH ?? '').split(':')].some((folder) => isExecutable(`${folder}/${program}`));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function install(names) {
  if (areListsOld()) await updateLists();
  const outcome = await apt(['install', '-y', '--no-install-recommends', ...names]);
  if (outcome.status === 0 || !/Unable to locate package|Unable to fetch|404 {2}Not Found/.test(outcome.output))
    return outcome;
  await updateLists();
  return apt(['install', '-y', '--no-install-recommends', ...names]);
}

function areListsOld() {
  try {
    return Date.now() - statSync(`${LISTS}/partial`).mtimeMs > LISTS_AGE_MAX_MS;
  } catch {
    return true;
  }
}

/** `apt-get update` takes a lock that DPkg::Lock::Timeout does not wait for. */
async function updateLists() {
  const deadline = Date.now() + LOCK_WAIT_SECONDS_MAX * 1000;
  for (;;) {
    const outcome = await apt(['update']);
    if (outcome.status === 0 || !/Could not get lock|Unable to lock/.test(outcome.output)) return outcome;
    if (Date.now() > deadline) return outcome;
    await sleep(2000);
  }
}

function apt(args) {
  return new Promise((resolve) => {
    const child = spawn('apt-get', ['-q', '-o', `DPkg::Lock::Timeout=${LOCK_WAIT_SECONDS_MAX}`, ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('error', (error) => resolve({ status: 1, output: error.message }));
    child.on('close', (status) => resolve({ status, output }));
  });
}

/** Debian starts a service as soon as it is installed, unless policy-rc.d forbids it: nginx would take port 80. */
async function withoutStartingServices(work) {
  const isOurs = existsSync(POLICY) && readFileSync(POLICY, 'utf8').includes(POLICY_MARK);
  if (existsSync(POLICY) && !isOurs) renameSync(POLICY, POLICY_SAVED);
  writeFileSync(POLICY, `#!/bin/sh\n${POLICY_MARK}\nexit 101\n`);
  chmodSync(POLICY, 0o755);
  const putBack = () => {
    rmSync(POLICY, { force: true });
    if (existsSync(POLICY_SAVED)) renameSync(POLICY_SAVED, POLICY);
  };
  // apt is not cut short: it would go on alone, without the policy. Ctrl+C in a terminal reaches it as well as us.
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, interrupt);
  try {
    return await work();
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
    putBack();
    if (isInterrupted) process.exit(1);
  }
}
