import { z } from 'zod';

/** Attacks that every site meets, whatever is on. */
export const COMMON_ATTACKS = [
  'sql_injection',
  'cross_site_scripting',
  'path_traversal',
  'environment_file',
  'git_config',
  'scanner',
  'log4shell',
] as const;
export type CommonAttack = (typeof COMMON_ATTACKS)[number];

/** What became of an attack: who stopped it, or that it would have reached the origin. */
export const TEST_VERDICTS = ['block', 'challenge', 'redirect', 'wait', 'reached_origin', 'failed'] as const;

const testAttackResult = z.object({
  attack: z
    .string()
    .describe(
      "Name of the attack: one of Cordon's own, or of a plugin that is on, a key of its catalog below `testAttacks`.",
    ),
  shown_by: z.string().nullable().describe('The plugin that shows itself with it. Null: a common attack.'),
  params: z
    .record(z.string(), z.union([z.string(), z.number(), z.object({ countries: z.array(z.string()) })]))
    .describe('ICU parameters of its words; countries by their codes.'),
  request: z.object({
    method: z.string(),
    target: z.string().describe('Path and query, as they were sent.'),
    headers: z.array(z.object({ name: z.string(), value: z.string() })).describe('Of the attack.'),
    address: z.string().describe('That it came from, for the edge.'),
    country: z.string().describe('ISO 3166-1 alpha-2; empty: as the address has it.'),
    times: z.number().int().describe('Sent so often; the rest is about the last.'),
  }),
  verdict: z.enum(TEST_VERDICTS).describe('`reached_origin`: it would have; the edge never sends it there.'),
  plugin: z.string().nullable().describe('That decided. Null: the edge itself, or nothing did.'),
  reason: z.string().nullable(),
  rule: z.string().nullable(),
  status: z.number().int().nullable().describe('That a visitor gets; null where the origin would give it.'),
  milliseconds: z.number(),
  request_id: z.string().nullable().describe('Of its row in the log; null where it has none.'),
});
export type TestAttackResult = z.infer<typeof testAttackResult>;

export const testAttackRun = z.object({
  node: z.string().describe('The edge node that was attacked.'),
  version: z.number().int().describe('That is live.'),
  is_paused: z.boolean().describe('The protection is paused: whatever is on stops nothing.'),
  results: z.array(testAttackResult),
});
export type TestAttackRun = z.infer<typeof testAttackRun>;
