import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Environment } from '../settings/env.ts';

const YEAR_SECONDS = 31_536_000;
/** Vite puts the content's hash in the names below `assets/`. */
const HASHED = /[\\/]assets[\\/]/;

/** The folder of the built console, if it is built. */
export function findConsole(env: Environment): string | undefined {
  if (env.consoleDir !== undefined) return existsSync(env.consoleDir) ? env.consoleDir : undefined;
  let folder = dirname(fileURLToPath(import.meta.url));
  while (dirname(folder) !== folder) {
    for (const candidate of [join(folder, 'dist/console'), join(folder, 'console')]) {
      if (existsSync(join(candidate, 'index.html')) && candidate.includes('dist')) return candidate;
    }
    folder = dirname(folder);
  }
  return undefined;
}

/** Serves the built console's files, brotli-compressed at build time where possible. */
export async function mountConsoleFiles(app: FastifyInstance, env: Environment): Promise<void> {
  const root = findConsole(env);
  if (root === undefined) {
    app.log.warn('the console is not built: only the API is served');
    return;
  }
  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    cacheControl: false,
    decorateReply: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', HASHED.test(path) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    },
  });
}
