export type * from './cases.ts';
export * from './plugin.ts';
