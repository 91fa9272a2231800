import { named, type Screen } from './screen.ts';

export const identity: readonly Screen[] = [
  { name: 'sign-in', hash: '', open: (page) => page.locator('input[name=password]').waitFor() },
  {
    name: 'sign-in, refused',
    hash: '',
    complains: /status of 4\d\d/,
    async open(page, words) {
      await page.locator('input[name=email]').fill('nobody@example.com');
      await page.locator('input[name=password]').fill('not-a-password');
      await page.locator('input[name=password]').press('Enter');
      await page.getByText(words('identity.errors.CREDENTIALS_WRONG')).waitFor();
    },
  },
  {
    name: 'register',
    hash: '',
    async open(page, words) {
      await page.locator('a[href*="/pages/register"]').click();
      await named(page, 'button', words('identity.register.submit')).click();
      await page.getByText(words('identity.errors.TERMS_REQUIRED')).waitFor();
    },
  },
];
