// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { PageHeader } from './page-header';

const TRAIL = [
  <a key="list" href="/">
    Domains
  </a>,
];

it('has on a phone the status beside the trail, above the name: however long it is, it wraps below neither', () => {
  renderWithWords(<PageHeader breadcrumb={TRAIL} title="a.example" status="Deploying…" />);
  const name = screen.getByRole('heading', { level: 1 });
  expect(name.className).toContain('phone:order-last phone:basis-full');
  const place = screen.getByText('Deploying…');
  expect([place.previousElementSibling, place.className.includes('phone:flex-1')]).toEqual([name, true]);
});

it('gives a long name a line of its own, below its trail and its status', () => {
  const name = 'checkout.customer-shop-with-a-very-long-name.international.example.com';
  renderWithWords(<PageHeader breadcrumb={TRAIL} title={name} documentTitle={['Overview', name]} status="Healthy" />);
  expect(screen.getByRole('heading', { level: 1 }).className).toContain(' order-last basis-full');
});
