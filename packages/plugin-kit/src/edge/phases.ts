/**
 * Phases of the pipeline in the order in which the edge runs them (product design, "Protection and performance"). Two
 * plugins never share phase and order.
 */
export const PHASES = [
  'allow',
  'ban',
  'access',
  'rate',
  'challenge',
  'waf',
  'redirect',
  'cache',
  'upstream',
  'response',
  'error',
] as const;
export type Phase = (typeof PHASES)[number];

/** Whether an `allow` verdict skips the phase: everything up to and including the WAF (product design). */
export const isProtectionPhase = (phase: Phase): boolean => PHASES.indexOf(phase) <= PHASES.indexOf('waf');
