import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { PluginCase } from '../cases.ts';
import type { EdgeHandler } from '../edge/context.ts';
import type { PluginDefinition } from '../plugin.ts';
import { runCasesUnderLuaJit } from './luajit.ts';
import { runCase } from './run-case.ts';

/**
 * Declares one test per case in Node and one under LuaJIT. The third run of the cases, in a real nginx, is
 * `apps/edge`'s, which knows how to start one.
 */
export function testPluginCases<Schema extends z.ZodType, Prepared, Resolved>(plugin: {
  readonly definition: PluginDefinition<Schema>;
  readonly handler: EdgeHandler<z.output<Schema>, Prepared, Resolved>;
  readonly cases: readonly PluginCase<z.input<Schema>>[];
  /** `new URL('./edge.ts', import.meta.url)` */
  readonly edge: URL;
}): void {
  const { definition, handler, cases } = plugin;
  describe(`${definition.name} in Node`, () => {
    it.each(cases.map((pluginCase) => [pluginCase.name, pluginCase] as const))('%s', (_, pluginCase) => {
      expect(runCase(definition, handler, pluginCase)).toEqual(pluginCase.expect);
    });
  });
  describe(`${definition.name} under LuaJIT`, () => {
    let results: PluginCase<unknown>['expect'][] = [];
    beforeAll(() => {
      results = runCasesUnderLuaJit(definition, fileURLToPath(plugin.edge), cases);
    }, 60_000);
    it.each(cases.map((pluginCase, index) => [pluginCase.name, index] as const))('%s', (_, index) => {
      expect(results[index]).toEqual(cases[index]?.expect);
    });
  });
}
