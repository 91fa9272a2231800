import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { type IntlState, useIntlState } from './intl-store';

/** Gives the words of the current language to everything below. */
export function IntlRoot({ children }: { children: ReactNode }) {
  const { locale, messages, timeZone } = useIntlState();
  return (
    <IntlProvider locale={locale} messages={messages as Required<IntlState['messages']>} timeZone={timeZone}>
      {children}
    </IntlProvider>
  );
}
