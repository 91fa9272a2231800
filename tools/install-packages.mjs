import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs `npm ci` when node_modules is missing or is not as package-lock.json says. Returns whether all is well. */
export function installPackages(root) {
  if (isInstalled(root)) return true;
  try {
    accessSync(root, constants.W_OK);
  } catch {
    console.error(`npm packages are missing or old, and ${root} cannot be written: run "npm ci" there as its owner.`);
    return false;
  }
  console.log('Installing npm packages … (a minute or two)');
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
  return true;
}

/**
 * Whether node_modules has what package-lock.json says, however it was installed: npm notes at the end of an install what it
 * did. Optional packages may be missing: most are for other platforms.
 */
export function isInstalled(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(join(root, 'node_modules/.package-lock.json'));
  if (wanted === undefined || installed === undefined) return false;
  const isThere = ([path, { version, integrity, optional }]) => {
    const found = installed[path];
    if (found === undefined) return path === '' || optional === true;
    return found.version === version && found.integrity === integrity;
  };
  return Object.entries(wanted).every(isThere) && Object.keys(installed).every((path) => path in wanted);
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
