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

/**
 * Whether the phase decides where a request goes rather than whether it may: a paused domain keeps these phases alone,
 * as without them its site would not be reached at all.
 */
export const isRoutingPhase = (phase: Phase): boolean => phase === 'redirect' || phase === 'upstream';
