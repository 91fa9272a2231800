// @vitest-environment happy-dom
import { ApiError, type ErrorBody, type Route } from '@cordon/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { networkReturns } from '../../../domain/testing/network-returns';
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
    idempotencyKey: expect.any(String),
  });
});

it('is given up by Escape, at once where nothing was typed, else after a question', async () => {
  const user = await edit('Something else{Escape}');
  const question = await screen.findByRole('alertdialog', { name: 'Discard your changes?' });
  await user.click(within(question).getByRole('button', { name: 'Keep editing' }));
  expect(((await field()) as HTMLTextAreaElement).value).toBe('Something else');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
  await waitFor(async () => expect(document.activeElement).toBe(await pencil()));
  expect(screen.getByText('Shop')).toBeTruthy();
  expect(api.updateRoute).not.toHaveBeenCalled();
});

it('keeps what is typed while it is on its way', async () => {
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  api.updateRoute.mockImplementationOnce(async () => {
    await answered;
    return { result: sampleRoute({ remarks: 'North', draft_revision: 5 }) };
  });
  const user = await edit('North{Enter}');
  await user.type(await field(), ' and south');
  answer();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-busy')).not.toBe('true'));
  expect(((await field()) as HTMLTextAreaElement).value).toBe('North and south');
  await user.type(await field(), '{Enter}');
  await waitFor(async () => expect(document.activeElement).toBe(await pencil()));
  expect(api.updateRoute.mock.calls.map(([{ ifMatch, body }]) => [ifMatch, body.remarks])).toEqual([
    [4, 'North'],
    [5, 'North and south'],
  ]);
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

it('says that there was no network until there is one again', async () => {
  api.updateRoute.mockRejectedValue(new ApiError(0, undefined, undefined, ['Please check your network']));
  await edit('North{Enter}');
  const said = 'Please check your network. Your input is kept: save it again.';
  expect(await screen.findByText(said)).toBeTruthy();
  networkReturns();
  expect(screen.queryByText(said)).toBeNull();
});
