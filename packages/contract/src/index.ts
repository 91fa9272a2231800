export * from './constants.ts';
export * from './enumerations.ts';
export * from './edge-config.ts';
