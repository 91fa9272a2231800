// @vitest-environment happy-dom
import { ApiError, rejectionList } from '@cordon/contract';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { beforeAll, expect, it } from 'vitest';
import { needCatalogs, setLocale } from '../../app/intl-store';
import { messagesOf } from '../../testing/catalogs';
import { useUnplacedTexts } from './unplaced-texts';

const refusal = (status: number, body: Record<string, unknown>) =>
  new ApiError(status, body.code as never, body as never, rejectionList(body));
const isField = (path: string) => path === 'name';

beforeAll(async () => {
  await setLocale('en');
  await needCatalogs('ui', 'errors', 'fieldErrors');
});

it.each([
  ['nothing where nothing failed', null, []],
  ['nothing where a field shows it', refusal(422, { message: '', name: 'REQUIRED' }), []],
  ['what no field shows', refusal(422, { message: '', other: 'REQUIRED' }), ['Required']],
  [
    'that the service failed, whatever else it says',
    refusal(500, { detail: 'x' }),
    ['Something went wrong on our side. Try again in a moment (status\u00a0500).'],
  ],
  [
    'what became of what was entered without a network',
    new ApiError(0, undefined, undefined, []),
    ['Please check your network. Your input is kept: save it again.'],
  ],
])('says beside the fields of a form %s', (_what, error, texts) => {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <IntlProvider locale="en" timeZone="UTC" messages={messagesOf('en')}>
      {children}
    </IntlProvider>
  );
  expect(renderHook(useUnplacedTexts, { wrapper }).result.current(error, isField)).toEqual(texts);
});
