import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { messagesOf } from './catalogs';

/** Renders with the English words of the design system, in UTC. */
export function renderWithWords(children: ReactNode) {
  const wrap = (inner: ReactNode) => (
    <IntlProvider locale="en" timeZone="UTC" messages={messagesOf('en')}>
      {inner}
    </IntlProvider>
  );
  const view = render(wrap(children));
  return { ...view, rerender: (next: ReactNode) => view.rerender(wrap(next)) };
}
