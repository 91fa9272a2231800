// @vitest-environment happy-dom
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { IntlProvider } from 'use-intl';
import { expect, it } from 'vitest';
import { messagesOf } from '../testing/catalogs';
import { ConfirmDialog } from './confirm-dialog';

function Row() {
  const [isOpen, setOpen] = useState(false);
  const [isGone, setGone] = useState(false);
  return (
    <main>
      <h1 tabIndex={-1}>Aliases</h1>
      {!isGone && (
        <button type="button" onClick={() => setOpen(true)}>
          Remove
        </button>
      )}
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Remove?"
        confirmLabel="Yes"
        onConfirm={() => setGone(true)}
      />
    </main>
  );
}

it('leads the focus to the heading where what it was about is gone', async () => {
  render(
    <IntlProvider locale="en" timeZone="UTC" messages={messagesOf('en')}>
      <Row />
    </IntlProvider>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  await user.click(await screen.findByRole('button', { name: 'Yes' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
});
