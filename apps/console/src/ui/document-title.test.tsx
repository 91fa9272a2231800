// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { ConfirmDialog } from './confirm-dialog';
import { Dialog } from './dialog';
import { setSiteTitle, useDocumentTitle } from './document-title';
import { Sheet } from './sheet';

function Titled({ parts }: { parts: readonly string[] }) {
  useDocumentTitle(...parts);
  return null;
}
afterEach(cleanup);

it('names what is open, the innermost first, and forgets what has closed', () => {
  setSiteTitle('Cordon – CDN');
  expect(document.title).toBe('Cordon – CDN');
  const page = ['Upstreams', 'www.example.com'];
  const { rerender, unmount } = render(<Titled key="page" parts={page} />);
  expect(document.title).toBe('Upstreams · www.example.com · Cordon – CDN');
  rerender(
    <>
      <Titled key="page" parts={page} />
      <Titled key="dialog" parts={['Deploy']} />
    </>,
  );
  expect(document.title).toBe('Deploy · Upstreams · www.example.com · Cordon – CDN');
  rerender(
    <>
      <Titled key="page" parts={page} />
    </>,
  );
  expect(document.title).toBe('Upstreams · www.example.com · Cordon – CDN');
  unmount();
  expect(document.title).toBe('Cordon – CDN');
});

it('says once what a tab and the sheet over it are both called', () => {
  setSiteTitle('Acme');
  render(
    <>
      <Titled parts={['Error pages', 'www.example.com']} />
      <Titled parts={['Error pages']} />
    </>,
  );
  expect(document.title).toBe('Error pages · www.example.com · Acme');
});

it('follows the brand while a screen is open', () => {
  render(<Titled parts={['Domains']} />);
  setSiteTitle('Acme');
  expect(document.title).toBe('Domains · Acme');
});

it.each([
  ['dialog', Dialog],
  ['sheet', Sheet],
  ['question', ConfirmDialog],
])('says the text of a title of several parts: %s', async (_, Box) => {
  setSiteTitle('Acme');
  const parts = { onOpenChange: () => undefined, confirmLabel: 'Yes', onConfirm: () => undefined };
  const title = (
    <>
      Delete <code>www.example.com</code>?
    </>
  );
  const { rerender } = renderWithWords(<Box open title={title} {...parts} />);
  await screen.findByText('www.example.com');
  expect(document.title).toBe('Delete www.example.com? · Acme');
  rerender(<Box open={false} title={title} {...parts} />);
  expect(document.title).toBe('Acme');
});
