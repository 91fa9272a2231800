// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DottedText } from './dotted-text';

it.each([
  ['wsly3ungumcydzyh.vip01.cordon.test', 'wsly3ungumcydzyh.<wbr>vip01.<wbr>cordon.<wbr>test'],
  ['ann.lee@customer.test', 'ann.<wbr>lee<wbr>@customer.<wbr>test'],
  ['192.0.2.1', '192.<wbr>0.<wbr>2.<wbr>1'],
  ['deploy token', 'deploy token'],
  [
    '中文域名.my-shop.example',
    '<span class="whitespace-nowrap">中文域名.</span><wbr><span class="whitespace-nowrap">my-shop.</span><wbr>example',
  ],
  ['a-label-that-is-too-long-alone.example', 'a-label-that-is-too-long-alone.<wbr>example'],
  ['@.', '@.'],
  ['', ''],
])('lets %j break at its dots and before its @, and is copied as it is', (text, markup) => {
  const { container } = render(<DottedText text={text} />);
  expect(container.innerHTML).toBe(markup);
  expect(container.textContent).toBe(text);
});
