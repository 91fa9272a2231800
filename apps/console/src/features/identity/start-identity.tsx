import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadBrand } from '../../app/brand';
import { IntlRoot } from '../../app/intl-root';
import { needCatalogs } from '../../app/intl-store';
import { IdentityApp } from './identity-app';

/** Starts the provider's forms: React and words, none of the console. */
export async function startIdentity(): Promise<void> {
  const element = document.querySelector('#root');
  if (!element) throw new Error('The page has no #root');
  await Promise.all([needCatalogs('identity'), loadBrand()]);
  createRoot(element).render(
    <StrictMode>
      <IntlRoot>
        <IdentityApp />
      </IntlRoot>
    </StrictMode>,
  );
}
