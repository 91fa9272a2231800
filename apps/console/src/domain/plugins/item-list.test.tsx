// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { expect, it } from 'vitest';
import { renderWithWords } from '../../testing/render-with-words';
import { useLeadToError } from '../../ui/lead-to-error';
import { ItemList } from './item-list';

function List({ start }: { start: readonly string[] }) {
  const [titles, setTitles] = useState(start);
  const [gone, setGone] = useState<{ title: string; index: number }>();
  const without = (index: number) => titles.filter((_, at) => at !== index);
  return (
    <ItemList
      label="Things"
      addLabel="Add thing"
      max={9}
      items={titles.map((title) => ({
        key: title,
        title,
        summary: `says ${title}`,
        errorCount: 0,
        content: <input aria-label={`name of ${title}`} />,
      }))}
      onAdd={() => setTitles([...titles, 'new'])}
      onMove={(from, to) => setTitles(without(from).toSpliced(to, 0, titles[from] as string))}
      onCopy={(index) => setTitles(titles.toSpliced(index + 1, 0, `${titles[index]} 2`))}
      undo={
        gone && {
          text: `${gone.title} is gone`,
          label: 'Undo',
          index: gone.index,
          onUndo() {
            setGone(undefined);
            setTitles(titles.toSpliced(gone.index, 0, gone.title));
          },
        }
      }
      onRemove={(index) => {
        setGone({ title: titles[index] as string, index });
        setTitles(without(index));
      }}
    />
  );
}
const open = async (...start: string[]) => {
  await renderWithWords(<List start={start} />);
  return userEvent.setup({ delay: null });
};
const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;

it('keeps the focus with what is moved, by the button and by keys, and says its new place', async () => {
  const user = await open('a', 'b', 'c');
  await user.click(screen.getByRole('button', { name: 'Move b up' }));
  // It cannot go further up: the head has the focus then.
  expect(focused()).toContain('says b');
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(focused()).toContain('says b');
  await user.click(screen.getByRole('button', { name: 'Move c up' }));
  expect(focused()).toBe('Move c up');
  expect(screen.getByText('c: 2 of 3').getAttribute('aria-live')).toBe('polite');
});

it('leads to the fields of what is added or duplicated, and to what stands where something was removed', async () => {
  const user = await open('a', 'b');
  await user.click(screen.getByRole('button', { name: 'Add thing' }));
  expect(focused()).toBe('name of new');
  await user.click(screen.getByRole('button', { name: 'Duplicate a' }));
  expect(focused()).toBe('name of a 2');
  await user.click(screen.getByRole('button', { name: 'Remove a 2' }));
  expect(focused()).toContain('says b');
});

it('says what was removed, and leads to it where it comes back', async () => {
  const user = await open('a', 'b', 'c');
  await user.click(screen.getByRole('button', { name: 'Remove b' }));
  expect(screen.getByRole('status').textContent).toContain('b is gone');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(focused()).toContain('says b');
  expect(screen.getByRole('status').textContent).toBe('');
});

/** A form whose save is refused for what its second and third things hold, if anything of them has a field. */
function Refused({ isOfField }: { isOfField: boolean }) {
  const root = useRef<HTMLDivElement>(null);
  const leadToError = useLeadToError(root);
  const isWrong = (title: string) => title !== 'a';
  return (
    <div ref={root}>
      <ItemList
        label="Things"
        addLabel="Add thing"
        max={9}
        items={['a', 'b', 'c'].map((title) => ({
          key: title,
          title,
          summary: `says ${title}`,
          errorCount: isWrong(title) ? 1 : 0,
          content: <input aria-label={`name of ${title}`} aria-invalid={isOfField && isWrong(title)} />,
        }))}
        onAdd={() => {}}
        onMove={() => {}}
        onCopy={() => {}}
        onRemove={() => {}}
      />
      <button type="button" onClick={leadToError}>
        Save
      </button>
    </div>
  );
}

it('opens the first thing with an error for who is led to it, and no other', async () => {
  await renderWithWords(<Refused isOfField />);
  const user = userEvent.setup({ delay: null });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(focused()).toBe('name of b');
  expect(screen.queryByLabelText('name of c')).toBeNull();
  // Open, it is led to as anything else.
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(focused()).toBe('name of b');
});

it('leads to its head where no field of it is wrong', async () => {
  await renderWithWords(<Refused isOfField={false} />);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /says b/, expanded: true }));
});

it('opens nothing for who only goes through with the Tab key', async () => {
  await renderWithWords(<Refused isOfField />);
  const user = userEvent.setup({ delay: null });
  for (let press = 0; press < 20; press++) await user.tab();
  expect(screen.queryByLabelText('name of b')).toBeNull();
});

it('leads to the button that adds when nothing is left', async () => {
  const user = await open('a');
  await user.click(screen.getByRole('button', { name: 'Remove a' }));
  expect(focused()).toBe('Add thing');
});

it('has room on a phone: what is done to a thing is there once it is open', async () => {
  const user = await open('a', 'b');
  const place = () => screen.getByRole('button', { name: 'Remove b' }).parentElement?.className;
  expect(place()).toContain('phone:hidden');
  await user.click(screen.getByRole('button', { name: /says b/ }));
  expect(place()).not.toContain('phone:hidden');
});

it('says what an item is while it is open', async () => {
  await open('a');
  expect(screen.getByText('says a').className).not.toContain('truncate');
});
