// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { onlineManager } from '@tanstack/react-query';
import { beforeAll, expect, it, vi } from 'vitest';
import { needCatalogs, setLocale } from './intl-store';
import { staleOf } from './stale-data';

beforeAll(async () => {
  await setLocale('en');
  await needCatalogs('ui', 'errors');
});

const query = {
  data: ['row'] as unknown,
  isError: true,
  error: new ApiError(0, undefined, undefined, ['Please check your network']),
  dataUpdatedAt: 1_000,
  isFetching: false,
  refetch: vi.fn(),
};

it('tells of data that are shown when they were read and why not since', () => {
  expect(staleOf(query)).toMatchObject({ since: 1_000, reasons: ['Please check your network'], isRetrying: false });
});

it('says nothing of what is fresh, or not there at all', () => {
  expect(staleOf({ ...query, isError: false })).toBeUndefined();
  expect(staleOf({ ...query, data: undefined })).toBeUndefined();
});

it('leaves it to the line over every screen while there is no network', () => {
  onlineManager.setOnline(false);
  expect(staleOf(query)).toBeUndefined();
  onlineManager.setOnline(true);
  expect(staleOf(query)).toBeDefined();
});
