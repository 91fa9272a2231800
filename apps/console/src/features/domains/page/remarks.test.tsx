// @vitest-environment happy-dom
import { ApiError, type ErrorBody, type Route } from '@cordon/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../../../domain/testing/sample-route';
import { accessibleDescription } from '../../../testing/accessible-description';
import { Remarks } from './remarks';

const api = vi.hoisted(() => ({ updateRoute: vi.fn(), getRoute: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));
beforeEach(() => {
  for (const mock of Object.values(api)) mock.mockReset();
  api.updateRoute.mockImplementation(async ({ body }: { body: { remarks: string } }) => ({
    result: sampleRoute({ remarks: body.remarks }),
  }));
});

const refusal = (status: number, body: Partial<ErrorBody>) =>
  new ApiError(status, body.code, { success: false, message: 'No', request_id: 'r', ...body }, []);
const staleError = () => refusal(409, { code: 'STALE_REVISION' });
const pencil = () => screen.findByRole('button', { name: 'Edit remarks' });
const field = () => screen.findByRole('textbox', { name: 'Remarks' });

async function edit(text: string) {
  const user = userEvent.setup({ delay: null });
  await renderDomains(<Remarks route={sampleRoute({ remarks: 'Shop', draft_revision: 4 })} />);
  await user.click(await pencil());
  await user.clear(await field());
  await user.type(await field(), text);
  return user;
}

it('is saved in its place by Enter, and the focus goes back', async () => {
  await edit('Shop of the north{Enter}');
  await waitFor(async () => expect(document.activeElement).toBe(await pencil()));
  expect(api.updateRoute).toHaveBeenCalledExactlyOnceWith({
    params: { id: ROUTE_ID },
    ifMatch: 4,
    body: { remarks: 'Shop of the north' },
    prefersMinimal: true,
  });
});

it('is given up by Escape', async () => {
  await edit('Something else{Escape}');
  await waitFor(async () => expect(document.activeElement).toBe(await pencil()));
  expect(screen.getByText('Shop')).toBeTruthy();
  expect(api.updateRoute).not.toHaveBeenCalled();
});

it('says at the field what is wrong, and keeps what was typed', async () => {
  const fault = { remarks: 'TOO_LONG', params: { remarks: { maximum: 1000 } } };
  api.updateRoute.mockRejectedValue(refusal(400, { code: 'VALIDATION_FAILED', ...fault }));
  await edit('Long{Enter}');
  const input = await field();
  await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'));
  expect(accessibleDescription(input)).toContain('Enter at most 1,000 characters');
  expect((input as HTMLTextAreaElement).value).toBe('Long');
});

it('is saved all the same when another user changed only the configuration', async () => {
  const newest: Route = sampleRoute({ remarks: 'Shop', draft_revision: 9 });
  api.updateRoute.mockRejectedValueOnce(staleError());
  api.getRoute.mockResolvedValue({ result: newest });
  await edit('Mine{Enter}');
  await pencil();
  expect(api.updateRoute.mock.calls.map(([input]) => input.ifMatch)).toEqual([4, 9]);
});

it("replaces another user's remarks only when saved again", async () => {
  api.updateRoute.mockRejectedValueOnce(staleError());
  api.getRoute.mockResolvedValue({ result: sampleRoute({ remarks: 'Theirs', draft_revision: 9 }) });
  const user = await edit('Mine{Enter}');
  await screen.findByText(/changed this to “Theirs”/);
  expect(api.updateRoute).toHaveBeenCalledTimes(1);
  expect(((await field()) as HTMLTextAreaElement).value).toBe('Mine');
  await user.type(await field(), '{Enter}');
  await pencil();
  expect(api.updateRoute).toHaveBeenCalledTimes(2);
});
