import { type Operation, operations, type Rate, rates, TASK_CLEARS_MAX, TASKS_MAX } from '@cordon/contract';
import { pluginOperations } from '@cordon/plugins/operations';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from './platform/openapi.ts';

const all: Readonly<Record<string, Operation>> = { ...operations, ...pluginOperations };
const ratesOf = ({ rate, itemRate }: Operation) => [rate, ...(itemRate ? [itemRate.rate] : [])];
const namesOf = (isWanted: (operation: Operation) => boolean) =>
  Object.keys(all).filter((name) => isWanted(all[name] as Operation));

describe('rates of operations', () => {
  it('every write that a person calls has one', () => {
    const writes = namesOf(({ auth, method }) => auth !== 'machine' && method !== 'GET');
    expect(writes).toContain('deleteRoute');
    expect(writes.filter((name) => all[name]?.rate === 'none')).toEqual([]);
  });
  it('every export has that of exports: each reads as much as an account has', () => {
    const others = namesOf(({ streams, rate }) => streams === 'text/csv' && rate !== rates.exports);
    expect([namesOf(({ streams }) => streams === 'text/csv').length, others]).toEqual([3, []]);
  });
  it('calls of nodes have none: what is dropped there is lost', () => {
    const limited = namesOf(({ auth, rate }) => auth === 'machine' && rate !== 'none');
    expect(limited).toEqual([]);
  });
  it('each is one of the contract, with a name of its own', () => {
    const known = new Set<unknown>(['none', ...Object.values(rates)]);
    expect(namesOf((operation) => ratesOf(operation).some((rate) => !known.has(rate)))).toEqual([]);
    expect(new Set(Object.values(rates).map(({ name }) => name)).size).toBe(Object.keys(rates).length);
  });
  it('none stands in the contract for no operation', () => {
    const used = new Set(Object.values(all).flatMap(ratesOf));
    expect(Object.values<Rate>(rates).filter((rate) => !used.has(rate))).toEqual([]);
  });
  it('those of items let the longest list of a call through', () => {
    const lists = Object.values(all).flatMap(({ body, itemRate }) => {
      if (!body || !itemRate) return [];
      const { properties } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
      const list = properties?.[itemRate.field];
      return [{ longest: typeof list === 'object' ? list.maxItems : undefined, burst: itemRate.rate.burst }];
    });
    expect(lists).toHaveLength(6);
    for (const { longest, burst } of lists) expect(longest).toBeLessThanOrEqual(burst);
    // Of a task each counts for each domain.
    expect(TASK_CLEARS_MAX).toBeLessThanOrEqual(rates.cacheClearValues.burst);
  });
  it('lets all scheduled tasks of an account be cancelled in one go, beside what is started', () => {
    const { rate } = operations.cancelTask;
    expect(rate.burst).toBeGreaterThanOrEqual(TASKS_MAX);
    expect(rate).not.toBe(operations.runTask.rate);
  });
  it('the OpenAPI document tells it, and where there is none', () => {
    const { paths } = openApiDocument('https://cordon.test', all) as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    expect(paths['/domain/routes/{id}/']?.delete).toMatchObject({
      'x-rate-limit': { name: 'domain-writes', burst: 600, per_minute: 300 },
      description: expect.stringContaining('At most 600 calls at once and 300 a minute'),
    });
    expect(paths['/domain/routes/{id}/']?.get).not.toHaveProperty('x-rate-limit');
    expect(paths['/domain/bans/']?.post).toMatchObject({
      'x-item-rate-limit': { field: 'networks', name: 'ban-changes', burst: 10_000, per_minute: 5_000 },
      description: expect.stringContaining('Items of `networks`: at most 10000 at once and 5000 a minute'),
    });
  });
});
