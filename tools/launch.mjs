import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm start`, `npm run dev`, `npm test`, `npm run test:soak`, `npm run bench` and `npm run operator`. Plain JavaScript without
 * dependencies: it runs before npm packages are there, and on a Node that is too old for the rest.
 */
const NODE_MINIMUM = [20, 19];
const root = resolve(fileURLToPath(import.meta.url), '../..');
const [task = 'start', ...args] = process.argv.slice(2);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < NODE_MINIMUM[0] || (major === NODE_MINIMUM[0] && minor < NODE_MINIMUM[1])) {
  console.error(`Cordon needs Node.js ${NODE_MINIMUM.join('.')} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

// Imported only now: on an older Node their syntax would fail before the sentence above.
const { installPackages } = await import('./install-packages.mjs');
const { installSystem } = await import('./install-system.mjs');

if (!installPackages(root)) process.exit(1);

if (task === 'start') {
  const absent = await installSystem(['edge', 'dns']);
  await buildIfStale();
  run('dist/standalone/main.js', args, { CORDON_ABSENT_PARTS: absent.join(',') });
} else if (task === 'dev') {
  const absent = await installSystem(['edge', 'dns']);
  await buildIfStale();
  const watcher = spawn(process.execPath, tsx('tools/build.ts', '--watch'), { cwd: root, stdio: 'inherit' });
  run('dist/standalone/main.js', ['--watch', ...args], { CORDON_ABSENT_PARTS: absent.join(',') }, () => watcher.kill());
} else if (task === 'test') {
  await installSystem(['edge', 'dns', 'tests']);
  await buildIfStale();
  run('tools/test.mjs', args, {});
} else if (task === 'soak') {
  await installSystem(['edge', 'dns']);
  await buildIfStale();
  run('node_modules/tsx/dist/cli.mjs', [join(root, 'tests/soak/soak.ts'), ...args], {});
} else if (task === 'bench') {
  await installSystem(['edge', 'dns', 'tests']);
  await buildIfStale();
  run('node_modules/tsx/dist/cli.mjs', [join(root, 'bench/run.ts'), ...args], {});
} else if (task === 'operator') {
  if (!existsSync(join(root, 'dist/api/operator.js'))) await buildIfStale();
  run('dist/api/operator.js', args, operatorEnvironment());
} else {
  console.error(`Unknown task "${task}": use start, dev, test, soak, bench or operator.`);
  process.exit(1);
}

/** Runs `program` in our place: its output is ours, signals pass on to it, and its exit code becomes ours. */
function run(program, programArgs, environment, atExit = () => {}) {
  const child = spawn(process.execPath, ['--enable-source-maps', join(root, program), ...programArgs], {
    cwd: program.startsWith('tools/') ? root : process.cwd(),
    env: { ...process.env, ...environment, CORDON_LAUNCHER_PID: String(process.pid) },
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  stopWithNpm(() => child.kill('SIGTERM'));
  child.on('error', (error) => {
    console.error(`Could not start ${program}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    atExit();
    process.exit(code ?? (signal === 'SIGINT' ? 130 : 1));
  });
}

/**
 * npm hands a SIGTERM to the shell between us, which dies of it without passing it on; killed with -9 npm passes nothing on.
 * Started by npm, we therefore end when either of the two does. Started otherwise (nohup) we outlive the starting process.
 */
function stopWithNpm(stop) {
  if (!process.env.npm_lifecycle_event) return;
  const shell = process.ppid;
  const npm = parentOf(shell);
  const timer = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npm) return;
    clearInterval(timer);
    stop();
  }, 500);
  timer.unref();
}

function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    return undefined;
  }
}

async function buildIfStale() {
  const { staleParts } = await import('./build-inputs.mjs');
  if (staleParts(root).length === 0) return;
  const output = [join(root, 'dist'), root].find((path) => existsSync(path));
  if (!isWritable(output)) {
    console.error(
      `The build is older than the sources, and ${output} cannot be written: run "npm run build" as its owner.`,
    );
    process.exit(1);
  }
  console.log('Building … (about a minute)');
  const { status } = spawnSync(process.execPath, tsx('tools/build.ts'), {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(1);
}

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function tsx(...rest) {
  return [join(root, 'node_modules/tsx/dist/cli.mjs'), ...rest];
}

/** What an operator command needs of the running instance, where the environment does not say otherwise. */
function operatorEnvironment() {
  const directory = resolve(process.env.CORDON_DATA_DIR ?? join(root, '.cordon'));
  const fromInstance = { CORDON_DATA_DIR: directory };
  try {
    const running = JSON.parse(readFileSync(join(directory, 'running.json'), 'utf8'));
    fromInstance.DATABASE_URL = running.databaseUrl;
    fromInstance.CLICKHOUSE_URL = running.clickhouseUrl;
    fromInstance.CORDON_ORIGIN = running.origin;
    fromInstance.CORDON_SECRET_KEY = readFileSync(join(directory, 'secret-key'), 'utf8').trim();
  } catch {
    if (!process.env.DATABASE_URL) {
      console.error(`No running instance in ${directory}: start one (npm start), or set DATABASE_URL.`);
      process.exit(1);
    }
  }
  return Object.fromEntries(Object.entries(fromInstance).filter(([name, value]) => value && !process.env[name]));
}
