// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { Dialog } from './dialog';
import { TagListInput } from './tag-list-input';
import { hasUnsavedChanges } from './unsaved-changes';

function Addresses() {
  const [value, setValue] = useState(['203.0.113.1']);
  return (
    <>
      <TagListInput
        label="Addresses"
        value={value}
        onValueChange={setValue}
        errorOf={(entry) => (entry === 'x' ? 'Enter an IP address' : undefined)}
      />
      <output>{value.join(' ')}</output>
    </>
  );
}
function Many({ start = [] as readonly string[], max }: { start?: readonly string[]; max?: number }) {
  const [value, setValue] = useState(start);
  return (
    <>
      <TagListInput
        label="Addresses"
        value={value}
        onValueChange={setValue}
        max={max}
        errorOf={(entry) => (entry === 'x' ? 'Enter an IP address' : undefined)}
      />
      <output>{value.join(' ')}</output>
    </>
  );
}
const addresses = (count: number) => Array.from({ length: count }, (_, at) => `198.18.${at >> 8}.${at & 255}`);
function Form() {
  const [isOpen, setOpen] = useState(true);
  const [value, setValue] = useState<string[]>([]);
  return (
    <Dialog open={isOpen} onOpenChange={setOpen} title="Addresses" dirty={value.length > 0}>
      <TagListInput label="Addresses" value={value} onValueChange={setValue} />
    </Dialog>
  );
}
const kept = () => screen.getByRole('status').textContent;

test('many are pasted at once, whatever parts them, and duplicates are left out', async () => {
  renderWithWords(<Addresses />);
  await userEvent.click(screen.getByRole('textbox', { name: 'Addresses' }));
  await userEvent.paste('203.0.113.1, 203.0.113.2\n2001:db8::/32；203.0.113.2');
  expect(kept()).toBe('203.0.113.1 203.0.113.2 2001:db8::/32');
});

/** A form that is sent by a press that leaves the focus where it is, and by Ctrl+Enter. */
function Sent({ onSend }: { onSend: (value: readonly string[]) => void }) {
  const [value, setValue] = useState<string[]>([]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: stands for the page, which hears the key
    <div onKeyDown={(event) => event.key === 'Enter' && event.ctrlKey && onSend(value)}>
      <TagListInput label="Addresses" value={value} onValueChange={setValue} />
      <button type="button" disabled={value.length === 0} onClick={() => onSend(value)}>
        Save
      </button>
    </div>
  );
}

test('what is typed counts before it is taken in: as unsaved, and when the form is sent', async () => {
  const onSend = vi.fn();
  renderWithWords(<Sent onSend={onSend} />);
  const field = screen.getByRole('textbox', { name: 'Addresses' });
  await userEvent.type(field, '203.0.113.7');
  expect(hasUnsavedChanges()).toBe(true);
  fireEvent.pointerDown(screen.getByRole('button', { name: 'Save' }));
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(onSend).toHaveBeenLastCalledWith(['203.0.113.7']);
  expect(hasUnsavedChanges()).toBe(false);
  await userEvent.type(field, '203.0.113.8');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  expect(screen.getByRole('list', { name: 'Addresses' }).textContent).toContain('203.0.113.8');
});

function Watched({ onTaken }: { onTaken: (list: string[]) => void }) {
  const [value, setValue] = useState(addresses(300));
  const take = (list: string[]) => {
    onTaken(list);
    setValue(list);
  };
  return <TagListInput label="Addresses" value={value} onValueChange={take} />;
}

test('many lines that a program inserts in one task, one event for each, are taken in as the first and the rest', async () => {
  const taken = vi.fn();
  renderWithWords(<Watched onTaken={taken} />);
  const area = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Addresses' });
  await act(async () => {
    for (const line of addresses(120)) {
      area.value += `\n${line.replace('198.18', '198.19')}`;
      area.dispatchEvent(new Event('input', { bubbles: true }));
      // As a browser does after each event that no script has sent.
      await Promise.resolve();
    }
  });
  await waitFor(() => expect(taken).toHaveBeenCalledTimes(2));
  expect(taken.mock.calls.map(([list]) => list.length)).toEqual([301, 420]);
});

test('a wrong entry stays, with its reason', async () => {
  renderWithWords(<Addresses />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Addresses' }), 'x{Enter}');
  expect(screen.getByText(/Enter an IP address/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Remove x' }));
  expect(kept()).toBe('203.0.113.1');
});

test('Backspace takes the last entry back into the field to be mended', async () => {
  renderWithWords(<Addresses />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Addresses' }), '{Backspace}2{Enter}');
  expect(kept()).toBe('203.0.113.12');
});

test('what is typed is kept when the focus leaves', async () => {
  renderWithWords(<Addresses />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Addresses' }), '203.0.113.2');
  await userEvent.tab();
  expect(kept()).toBe('203.0.113.1 203.0.113.2');
});

test('Escape keeps what is typed, and only the next one is for the dialog, which asks', async () => {
  renderWithWords(<Form />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Addresses' }), '203.0.113.2{Escape}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.getByRole('button', { name: 'Remove 203.0.113.2' })).toBeTruthy();
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('alertdialog', { name: 'Discard your changes?' })).toBeTruthy();
});

test('Escape in an empty field is for the dialog', async () => {
  const onOpenChange = vi.fn();
  renderWithWords(
    <Dialog open onOpenChange={onOpenChange} title="Addresses">
      <TagListInput label="Addresses" value={[]} onValueChange={() => {}} />
    </Dialog>,
  );
  await userEvent.click(await screen.findByRole('textbox', { name: 'Addresses' }));
  await userEvent.keyboard('{Escape}');
  expect(onOpenChange).toHaveBeenCalledWith(false);
});

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Addresses' });

test('thousands that are pasted become lines of text, counted, a page of them at a time, without an element for each', async () => {
  renderWithWords(<Many max={10_000} />);
  await userEvent.click(field());
  await userEvent.paste([...addresses(2500), '198.18.0.0'].join('\n'));
  expect(field().tagName).toBe('TEXTAREA');
  expect(document.activeElement).toBe(field());
  expect(kept()?.split(' ')).toHaveLength(2500);
  expect(screen.getByText('2,500 of 10,000')).toBeTruthy();
  expect(screen.getByText('2,500 added, 1 was already in the list')).toBeTruthy();
  expect(field().value.split('\n')).toHaveLength(1001);
  await userEvent.keyboard('9.9.9.9');
  expect(kept()).toMatch(/ 198\.18\.9\.195 9\.9\.9\.9$/);
  await userEvent.click(screen.getByRole('button', { name: 'Lines before' }));
  expect(field().value.split('\n')).toHaveLength(1000);
  expect(screen.queryAllByRole('listitem')).toHaveLength(0);
});

test('what is pasted is shown where it ends, on a full page: one line alone would look as if the rest were lost', async () => {
  renderWithWords(<Many start={addresses(300)} />);
  const shown = () => [screen.getByText(/^Page/).textContent, field().value.trim().split('\n').length];
  const pasted = addresses(10_001).slice(300);
  field().setSelectionRange(field().value.length, field().value.length);
  await userEvent.click(field());
  await userEvent.paste(pasted.join('\n'));
  expect(shown()).toEqual(['Page 11 of 11 · 9,002 to 10,001 of 10,001', 1000]);
  expect(field().value.endsWith(`${pasted.at(-1)}\n`)).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Lines before' }));
  expect(shown()).toEqual(['Page 10 of 11 · 8,002 to 9,001 of 10,001', 1000]);
  // Between others: with what stands before and after it.
  field().focus();
  field().setSelectionRange(0, 0);
  await userEvent.paste(addresses(12_000).slice(10_001).join('\n'));
  expect(shown()).toEqual(['Page 11 of 13 · 9,501 to 10,500 of 12,000', 1000]);
  expect(field().value.slice(0, field().selectionStart).split('\n')).toHaveLength(500);
});

test('what is typed on one page of the text leaves the others as they are', async () => {
  renderWithWords(<Many start={addresses(1500)} />);
  await userEvent.click(screen.getByRole('button', { name: 'Lines after' }));
  await userEvent.type(field(), '\n9.9.9.9');
  expect(kept()).toBe([...addresses(1500), '9.9.9.9'].join(' '));
});

test('a last page that is emptied gives way to the one before, and what was added is no longer claimed', async () => {
  renderWithWords(<Many start={addresses(3)} />);
  await userEvent.click(screen.getByRole('button', { name: 'Edit as text' }));
  await userEvent.click(field());
  await userEvent.paste(addresses(1003).slice(3).join('\n'));
  expect(screen.getByText('1,000 added')).toBeTruthy();
  expect(screen.getByText('Page 2 of 2 · 4 to 1,003 of 1,003')).toBeTruthy();
  await userEvent.clear(field());
  expect(kept()?.split(' ')).toHaveLength(3);
  expect(screen.queryByText(/of 1,003/)).toBeNull();
  expect(field().value.trim().split('\n')).toHaveLength(3);
  expect(screen.queryByText('1,000 added')).toBeNull();
});

test('one entry that was typed is told to screen readers only: it is seen', async () => {
  renderWithWords(<Many />);
  await userEvent.type(field(), '1.1.1.1{Enter}');
  expect(screen.getByText('1 added').className).toBe('sr-only');
  await userEvent.paste('2.2.2.2 3.3.3.3');
  expect(screen.getByText('2 added').className).toBe('');
});

test('a wrong line is named and led to, on whichever page it is', async () => {
  renderWithWords(<Many start={[...addresses(1200), 'x']} />);
  expect(field().getAttribute('aria-invalid')).toBe('true');
  await userEvent.click(screen.getByRole('button', { name: 'Line 1,201' }));
  expect(document.activeElement).toBe(field());
  expect(field().value.slice(field().selectionStart, field().selectionEnd)).toBe('x');
});

test('too many are counted while they are typed', async () => {
  renderWithWords(<Many max={2} start={['1.1.1.1']} />);
  await userEvent.type(field(), '2.2.2.2{Enter}3.3.3.3{Enter}');
  expect(screen.getByText('3 of 2')).toBeTruthy();
  expect(screen.getByText('1 too many')).toBeTruthy();
});

test('what a filter finds can be removed, all can be cleared, and both taken back', async () => {
  renderWithWords(<Many start={addresses(300)} />);
  await userEvent.type(screen.getByRole('searchbox', { name: 'Filter' }), '198.18.1.');
  expect(screen.getByText('44 matches')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Remove 44 matches' }));
  expect(kept()).toBe(addresses(256).join(' '));
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(kept()).toBe(addresses(300).join(' '));
  await userEvent.click(screen.getByRole('button', { name: 'Clear all' }));
  expect(kept()).toBe('');
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(field().value.split('\n')).toHaveLength(300);
});

test('a long list says why it is text', () => {
  renderWithWords(<Many start={addresses(201)} />);
  expect(screen.queryByRole('button', { name: 'Edit one by one' })).toBeNull();
  expect(screen.getByText('Above 200 entries as text only')).toBeTruthy();
});

test('a short list is edited as text by choice', async () => {
  renderWithWords(<Many start={['1.1.1.1']} />);
  await userEvent.click(screen.getByRole('button', { name: 'Edit as text' }));
  await userEvent.type(field(), '2.2.2.2');
  await userEvent.click(screen.getByRole('button', { name: 'Edit one by one' }));
  expect(screen.getByRole('button', { name: 'Remove 2.2.2.2' })).toBeTruthy();
});

test('a wrong entry marks its field, for the focus to be led there', () => {
  renderWithWords(<Many start={['x']} />);
  expect(field().getAttribute('aria-invalid')).toBe('true');
});

test.each([1, 400])('what is wrong with entries is said with the field, of a list of %i', async (count) => {
  renderWithWords(<Many start={['x', ...addresses(count)]} />);
  const field = screen.getByRole('textbox', { name: 'Addresses' });
  const ids = field.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(ids.map((id) => document.getElementById(id)?.textContent).join()).toContain('x: Enter an IP address');
  await userEvent.click(screen.getAllByRole('button', { name: /^(Clear all|Remove x)$/ })[0] as HTMLElement);
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Addresses' }).getAttribute('aria-describedby')).toBeNull(),
  );
});
