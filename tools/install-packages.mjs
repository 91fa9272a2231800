import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NOTE = 'node_modules/.cordon-lock-hash';

/** Runs `npm ci` when node_modules is missing or was installed from another package-lock.json. Returns whether all is well. */
export function installPackages(root) {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (isInstalled(root, hash)) return true;
  try {
    accessSync(root, constants.W_OK);
  } catch {
    console.error(`npm packages are missing or old, and ${root} cannot be written: run "npm ci" there as its owner.`);
    return false;
  }
  console.log('Installing npm packages …');
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const { status } = spawnSync(command, [...args, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    // npm's own output is for us only when it fails, and then it is on stderr; stdout would come before our last line.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) {
    console.error('npm could not install the packages of package-lock.json (npm ci): see the message above.');
    return false;
  }
  writeFileSync(join(root, NOTE), hash);
  return true;
}

function isInstalled(root, hash) {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false;
  try {
    return readFileSync(join(root, NOTE), 'utf8') === hash;
  } catch {
    return false;
  }
}
