import { waiting } from '@cordon/plugins/areas';

/** Whether a plugin's challenges are waits: nobody is to prove anything, so they count as no challenges. */
export const isWaiting = (plugin: string): boolean => waiting.includes(plugin);

/** The same of a row, as a condition; roll-ups of figures have the column. */
export const IS_OF_WAITING = `plugin IN (${waiting.map((name) => `'${name}'`).join(', ') || 'NULL'})`;

/** The edge's own reason of a request that ends a wait. */
export const WAIT_MET = 'wait_met';
