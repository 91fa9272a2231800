import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../platform/database.ts';
import { createLog } from '../platform/log.ts';
import { migrateQueue } from '../platform/queue.ts';
import { startTestPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the run's PostgreSQL server, with the migrated template database. */
    postgresUrl: string;
  }
}

export const TEMPLATE_DATABASE = 'cordon_template';

/** One PostgreSQL for the run of project `api`, with a template that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestPostgres();
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  await admin.end();
  const templateUrl = server.url.replace(/\/postgres$/, `/${TEMPLATE_DATABASE}`);
  await migrate(templateUrl, createLog('silent'));
  await migrateQueue(templateUrl);
  project.provide('postgresUrl', server.url);
  return () => server.stop();
}
