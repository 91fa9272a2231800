// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { setSiteTitle, useDocumentTitle } from './document-title';

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
  unmount();
  expect(document.title).toBe('Cordon – CDN');
});

it('follows the brand while a screen is open', () => {
  render(<Titled parts={['Domains']} />);
  setSiteTitle('Acme');
  expect(document.title).toBe('Domains · Acme');
});
