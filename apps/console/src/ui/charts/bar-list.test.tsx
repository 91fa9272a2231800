// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { IntlProvider } from 'use-intl';
import { expect, it } from 'vitest';
import { BarList } from './bar-list';
import { StackedBar } from './stacked-bar';

const countLines = (props: Partial<ComponentProps<typeof BarList>>) => {
  cleanup();
  const { container } = render(
    <IntlProvider locale="en" messages={{}} timeZone="UTC">
      <BarList
        label="Reasons"
        items={undefined}
        formatValue={String}
        empty={<p className="min-h-8">None</p>}
        {...props}
      />
    </IntlProvider>,
  );
  return container.querySelectorAll('.min-h-8').length;
};

it('has as many lines before its items are known as it keeps free for them', () => {
  const items = [{ id: 'one', label: 'One', value: 1 }];
  expect(countLines({ rows: 5 })).toBe(5);
  expect(countLines({ rows: 5, isReserved: true, items })).toBe(5);
  // None of them on a phone, where nothing stands beside the list.
  expect(document.querySelectorAll('li.phone\\:hidden')).toHaveLength(4);
  expect(countLines({ rows: 5, isReserved: true, items: [] })).toBe(5);
  expect(countLines({ rows: 5, items })).toBe(1);
});

it('is as high before its parts are known as with its four lines', () => {
  const linesOf = (parts: ComponentProps<typeof StackedBar>['parts']) => {
    cleanup();
    const { container } = render(
      <IntlProvider locale="en" messages={{}} timeZone="UTC">
        <StackedBar label="Status" parts={parts} formatValue={String} hrefOf={() => '#'} />
      </IntlProvider>,
    );
    return container.querySelectorAll('.min-h-8').length;
  };
  expect(linesOf(undefined)).toBe(4);
  expect(linesOf(['2xx', '3xx', '4xx', '5xx'].map((id) => ({ id, label: id, value: 1 })))).toBe(4);
});
