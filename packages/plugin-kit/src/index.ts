export type * from './cases.ts';
export * from './plugin.ts';
export { withoutNulls } from './without-nulls.ts';
