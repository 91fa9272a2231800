// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { Select } from './select';

const NAME = 'a-rather-long-name-that-no-phone-shows-whole.s1.vip01.edge.cordon.test';

test('what is cut on a narrow screen can be read in full', () => {
  renderWithWords(
    <Select label="Subscription" value="one" onValueChange={() => {}} options={[{ value: 'one', label: NAME }]} />,
  );
  expect(screen.getByRole('combobox', { name: 'Subscription' }).getAttribute('title')).toBe(NAME);
});
