// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { IntlProvider } from 'use-intl';
import { expect, it } from 'vitest';
import en from '../locales/en/shell.json';
import zh from '../locales/zh/shell.json';
import { useWho } from './who';

function Name({ label }: { label: string }) {
  return <p>{useWho()(label)}</p>;
}

it.each([
  ['en', 'operator (demo)', 'operator (demo)'],
  ['zh', 'operator (demo)', '运营人员（demo）'],
  ['zh', 'me@example.com', 'me@example.com'],
] as const)('names in %s %s as %s', (locale, label, words) => {
  render(
    <IntlProvider locale={locale} timeZone="UTC" messages={{ shell: locale === 'en' ? en : zh }}>
      <Name label={label} />
    </IntlProvider>,
  );
  expect(screen.getByText(words)).toBeTruthy();
});
