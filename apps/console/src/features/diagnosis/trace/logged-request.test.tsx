// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { renderDomains } from '../../../domain/testing/render-domains';
import { LoggedRequestCard } from './logged-request';

vi.mock('../../../app/api-client', () => ({ api: {}, queryClient: {} }));

it('says at its field why a request could not be looked for', async () => {
  const body = { success: false, code: 'TRAFFIC_UNAVAILABLE', message: '', request_id: 'r' } as const;
  const failure = new ApiError(503, 'TRAFFIC_UNAVAILABLE', body, ['code.TRAFFIC_UNAVAILABLE']);
  await needCatalogs('diagnosis');
  const rest = { logged: undefined, isLoading: false, trace: undefined, onFind: () => {} };
  await renderDomains(<LoggedRequestCard initialId="a" failure={failure} {...rest} />);
  const field = screen.getByLabelText('Request ID');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('Traffic data is not available right now. Your sites are not affected.')).toBeTruthy();
});
