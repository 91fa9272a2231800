// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute } from '../../../domain/testing/sample-route';
import { Protection } from './protection';

const api = vi.hoisted(() => ({ getPluginEffects: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

it.each([
  ['en', /^\d+ off$/, /, and Redirect$/],
  ['zh', /^\d+ 项未开启$/, /重定向$/],
] as const)('says in %s in short how many are off, with their names at hand', async (locale, words, names) => {
  await renderDomains(<Protection route={sampleRoute()} />, locale);
  expect((await screen.findByText(words)).title).toMatch(names);
});
