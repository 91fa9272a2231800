// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
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

it('keeps the focus with what is moved, by the button and by keys', async () => {
  const user = await open('a', 'b', 'c');
  await user.click(screen.getByRole('button', { name: 'Move b up' }));
  // It cannot go further up: the head has the focus then.
  expect(focused()).toContain('says b');
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  expect(focused()).toContain('says b');
  await user.click(screen.getByRole('button', { name: 'Move c up' }));
  expect(focused()).toBe('Move c up');
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

it('leads to the button that adds when nothing is left', async () => {
  const user = await open('a');
  await user.click(screen.getByRole('button', { name: 'Remove a' }));
  expect(focused()).toBe('Add thing');
});

it('says what an item is while it is open', async () => {
  await open('a');
  expect(screen.getByText('says a').className).not.toContain('truncate');
});
