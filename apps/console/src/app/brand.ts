import { type Brand, REALM_DEFAULT } from '@cordon/contract';
import { useSyncExternalStore } from 'react';
import { setSiteTitle } from '../ui/document-title';
import { requestBrand } from './early-requests';
import { getIntl, onIntlChange } from './intl-store';

const STORAGE_KEY = 'brand';
const listeners = new Set<() => void>();

/** What is shown until the API has answered for this hostname. */
const fallback: Brand = {
  key: 'cordon',
  name: 'Cordon',
  title: { en: 'Cordon console', zh: 'Cordon 控制台' },
  logo_svg: null,
  colors: { primary: '#234fd0', primary_dark: '#3f6df0', soft: '#eaf0ff', soft_dark: '#1b2749' },
  white_label: false,
  abuse_contact: '',
  support_email: '',
  chat_enabled: false,
  oidc: {
    authority: `${window.location.origin}/auth/realms/cordon`,
    client_id: 'cordon-console',
    realm: REALM_DEFAULT,
  },
};

function remembered(): Brand | null {
  try {
    return JSON.parse(window.localStorage.getItem(STORAGE_KEY) ?? 'null') as Brand | null;
  } catch {
    return null;
  }
}

let current: Brand = remembered() ?? fallback;

/** Colours by custom properties through the CSSOM, which a strict content security policy allows. */
function apply(brand: Brand) {
  const { style } = document.documentElement;
  style.setProperty('--brand-primary', brand.colors.primary);
  style.setProperty('--brand-primary-dark', brand.colors.primary_dark);
  style.setProperty('--brand-soft', brand.colors.soft);
  style.setProperty('--brand-soft-dark', brand.colors.soft_dark);
  setSiteTitle(brand.title[getIntl().locale]);
  if (brand.logo_svg) document.querySelector('#favicon')?.setAttribute('href', brand.logo_svg);
}

let loading: Promise<Brand> | undefined;

/**
 * The brand of this hostname: at once from the last visit, and fetched anew in the background. The first visit waits
 * for the answer; without one the console looks like Cordon.
 */
export function loadBrand(): Promise<Brand> {
  if (loading) return loading;
  apply(current);
  onIntlChange(() => apply(current));
  const isKnown = remembered() !== null;
  const fetched = requestBrand().then(
    (brand) => {
      current = brand;
      try {
        window.localStorage.setItem(STORAGE_KEY, JSON.stringify(brand));
      } catch {
        // Fetched again next time.
      }
      apply(brand);
      for (const listener of listeners) listener();
      return brand;
    },
    (cause: unknown) => {
      console.error('The brand could not be loaded', cause);
      return current;
    },
  );
  loading = isKnown ? Promise.resolve(current) : fetched;
  return loading;
}

/** The brand as known now, for code outside React. */
export function getBrand(): Brand {
  return current;
}

/** The brand of this hostname. */
export function useBrand(): Brand {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, getBrand);
}
