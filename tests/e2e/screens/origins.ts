import { domain, named, type Screen } from './screen.ts';

export const origins: readonly Screen[] = [
  {
    name: 'domain, upstreams',
    account: 'full',
    hash: domain('live', 'upstreams'),
    async open(page, words) {
      await page.getByRole('radio', { name: words('domain.upstreams.protocol.https') }).check();
      await page.getByRole('radio', { name: words('upstreams.connection.mode.custom') }).check();
      await page.getByText(words('upstreams.tlsCa.hint')).waitFor();
      await page.getByText(words('origins.forwarded.show')).click();
      await page.getByText('set_real_ip_from 127.0.0.1;').waitFor();
      await named(page, 'button', words('origins.lock.enable')).waitFor();
    },
  },
];
