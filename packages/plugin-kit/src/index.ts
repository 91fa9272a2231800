export * from './plugin.ts';
export type * from './cases.ts';
