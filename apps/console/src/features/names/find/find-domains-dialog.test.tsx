// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID } from '../../../domain/testing/sample-route';
import FindDomainsDialog, { namesIn } from './find-domains-dialog';

const api = vi.hoisted(() => ({ findDomains: vi.fn(), listGroups: vi.fn(), listSubscriptions: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));
beforeEach(() => {
  for (const mock of Object.values(api)) mock.mockReset();
  api.listSubscriptions.mockResolvedValue({ results: [{ cname: 's1.vip01.edge.cordon.test', czone: 'vip01' }] });
  api.listGroups.mockResolvedValue({ results: [{ id: 'g1', name: 'Shops', default_group: false, domains: 1 }] });
});

it('reads names however they are separated', () => {
  expect(namesIn(' a.test,b.test;\n c.test\td.test、e.test ')).toEqual([
    'a.test',
    'b.test',
    'c.test',
    'd.test',
    'e.test',
  ]);
  expect(namesIn(' \n ')).toEqual([]);
});

it('takes a line of words that are no names as one that is none', () => {
  expect(namesIn('bad name\na.test b.test\nmy shop.test, c.test')).toEqual([
    'bad name',
    'a.test',
    'b.test',
    'my shop.test',
    'c.test',
  ]);
});

it('takes the host of an address', () => {
  expect(namesIn('https://www.a.test/x?y=1 http://me@b.test:8080 www.a.test https://nonsense_/ c.test')).toEqual([
    'www.a.test',
    'b.test',
    'https://nonsense_/',
    'c.test',
  ]);
});

it('shows where each name is, with its group, and what is missing', async () => {
  const route = {
    id: ROUTE_ID,
    domain_name: 'www.example.com',
    domain_name_unicode: 'www.example.com',
    status: 'running',
    is_suspended: true,
    ownership_state: 'verified',
    subscription_cname: 's1.vip01.edge.cordon.test',
    group_id: 'g1',
  };
  api.findDomains.mockResolvedValue({
    result: {
      domains: [
        { input: 'shop.example.com', name: 'shop.example.com', found: 'shadow_domain', error: null, route },
        { input: 'absent.example', name: 'absent.example', found: 'not_found', error: null, route: null },
      ],
      found: 1,
      not_found: 1,
      invalid: 0,
    },
  });
  const user = userEvent.setup({ delay: null });
  await renderDomains(<FindDomainsDialog onSelect={vi.fn()} onClose={vi.fn()} />);
  const find = await screen.findByRole('button', { name: 'Find' });
  expect((find as HTMLButtonElement).disabled).toBe(true);
  await user.type(screen.getByRole('textbox', { name: /Names/ }), 'shop.example.com absent.example');
  await user.click(find);
  const table = await screen.findByRole('table', { name: 'Results' });
  expect(api.findDomains).toHaveBeenCalledWith({ query: {}, body: { names: ['shop.example.com', 'absent.example'] } });
  expect(within(table).getByRole('link', { name: 'Alias of www.example.com' }).getAttribute('href')).toContain(
    ROUTE_ID,
  );
  expect(await within(table).findByText('Shops · Zone vip01')).toBeTruthy();
  expect(within(table).getByText('Suspended')).toBeTruthy();
  expect(within(table).getByText('Not in your account')).toBeTruthy();
  expect(screen.getByText('1 found, 1 not found.')).toBeTruthy();
});

it('hands the domains over to the list: each once, none of what only a wildcard answers or what is being deleted', async () => {
  const route = (id: string, status = 'running') => ({
    id,
    domain_name: `${id}.example`,
    domain_name_unicode: `${id}.example`,
    status,
    ownership_state: 'verified',
    subscription_cname: 's1.vip01.edge.cordon.test',
    group_id: null,
  });
  const [shop, any, gone] = [route('shop'), route('any'), route('gone', 'deleting')];
  const domains = [
    { input: 'shop.example', found: 'main', route: shop },
    { input: 'alias.example', found: 'shadow_domain', route: shop },
    { input: 'x.any.example', found: 'wildcard', route: any },
    { input: 'gone.example', found: 'main', route: gone },
  ].map((domain) => ({ ...domain, name: domain.input, error: null }));
  api.findDomains.mockResolvedValue({ result: { domains, found: 4, not_found: 0, invalid: 0 } });
  const [onSelect, onClose] = [vi.fn(), vi.fn()];
  const user = userEvent.setup({ delay: null });
  await renderDomains(<FindDomainsDialog onSelect={onSelect} onClose={onClose} />);
  await user.type(await screen.findByRole('textbox', { name: /Names/ }), 'shop.example');
  await user.click(screen.getByRole('button', { name: 'Find' }));
  // The name leads to the domain where it is its own.
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'shop.example',
    'Alias of shop.example',
    'Covered by any.example',
    'gone.example',
  ]);
  await user.click(await screen.findByRole('button', { name: 'Select 1 domain in the list' }));
  expect(onSelect).toHaveBeenCalledExactlyOnceWith([shop]);
  expect(onClose).toHaveBeenCalledOnce();
});

it('says so when there are too many, and does not ask', async () => {
  await renderDomains(<FindDomainsDialog onSelect={vi.fn()} onClose={vi.fn()} />);
  const user = userEvent.setup({ delay: null });
  const field = await screen.findByRole('textbox', { name: /Names/ });
  await user.click(field);
  await user.paste(Array.from({ length: 1001 }, (_, index) => `n${index}.example`).join(' '));
  expect(screen.getByText(/1,001 names; at most/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Find' }));
  expect(api.findDomains).not.toHaveBeenCalled();
});
