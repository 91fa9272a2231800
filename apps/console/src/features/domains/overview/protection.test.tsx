// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute } from '../../../domain/testing/sample-route';
import { Protection } from './protection';

const api = vi.hoisted(() => ({ getPluginEffects: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

it.each([
  ['en', /^Off: .+, and Redirect$/],
  ['zh', /^未开启：.+重定向$/],
] as const)(
  'says in %s first that all of a list is off: the last of it alone would be taken for what is off',
  async (locale, words) => {
    await renderDomains(<Protection route={sampleRoute()} />, locale);
    expect(await screen.findByText(words)).toBeTruthy();
  },
);
