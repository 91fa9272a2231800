// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { StartedContext } from '../../../domain/model/started';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleConfig, sampleRoute } from '../../../domain/testing/sample-route';
import { Protection } from './protection';

it.each([
  ['en', /^\d+ plugins off$/, /, and Redirect$/],
  ['zh', /^\d+ 个插件未开启$/, /重定向$/],
] as const)('says in %s in short how many are off, with their names at hand', async (locale, words, names) => {
  await renderDomains(<Protection route={sampleRoute()} effects={[]} isPending={false} />, locale);
  expect((await screen.findByText(words)).title).toMatch(names);
});

it.each([
  ['en', false, 'Under Attack mode When started: automatic browser check'],
  ['en', true, 'Under Attack mode On now'],
  ['zh', true, '攻击防御模式 运行中'],
] as const)('says in %s of one that waits to be started whether it is (%s)', async (locale, isStarted, words) => {
  await renderDomains(
    <StartedContext value={isStarted && 'domain'}>
      <Protection route={sampleRoute({ live: sampleConfig() })} effects={[]} isPending={false} />
    </StartedContext>,
    locale,
  );
  const [name = ''] = /^(Under Attack mode|攻击防御模式)/.exec(words) ?? [];
  expect((await screen.findByText(name)).parentElement?.textContent).toBe(words);
});
