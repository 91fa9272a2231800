import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import identity from '../features/identity/locales/en.json';
import ui from '../locales/en/ui.json';

/** Renders with the English words of the design system, in UTC. */
export function renderWithWords(children: ReactNode) {
  const wrap = (inner: ReactNode) => (
    <IntlProvider locale="en" timeZone="UTC" messages={{ ui, identity } as never}>
      {inner}
    </IntlProvider>
  );
  const view = render(wrap(children));
  return { ...view, rerender: (next: ReactNode) => view.rerender(wrap(next)) };
}
