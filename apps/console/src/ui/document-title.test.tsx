// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { setBaseTitle, useDocumentTitle } from './document-title';

function Titled({ parts }: { parts: readonly string[] }) {
  useDocumentTitle(...parts);
  return null;
}
afterEach(cleanup);

it('names what is open, the innermost first, and forgets what has closed', () => {
  setBaseTitle('Cordon console', 'Cordon');
  expect(document.title).toBe('Cordon console');
  const page = ['Upstreams', 'www.example.com'];
  const { rerender, unmount } = render(<Titled key="page" parts={page} />);
  expect(document.title).toBe('Upstreams · www.example.com · Cordon');
  rerender(
    <>
      <Titled key="page" parts={page} />
      <Titled key="dialog" parts={['Deploy']} />
    </>,
  );
  expect(document.title).toBe('Deploy · Upstreams · www.example.com · Cordon');
  unmount();
  expect(document.title).toBe('Cordon console');
});

it('follows the brand while a screen is open', () => {
  render(<Titled parts={['Domains']} />);
  setBaseTitle('Acme', 'Acme');
  expect(document.title).toBe('Domains · Acme');
});
