// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { findPlace, findPressables, type Pressable } from './notice-place';

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

const area = { left: 300, top: 16, right: 1200, bottom: 884 };
const room = { area, sightTop: 56, edge: 'bottom', width: 388, height: 60, detour: 900 } as const;
const at = (left: number, top: number, right: number, bottom: number, way = 0): Pressable => ({
  box: { left, top, right, bottom },
  up: way,
  down: way,
});

it('is the left end of the edge while nothing is there', () => {
  expect(findPlace(room, [])).toEqual({ left: 300, top: 824, right: 688, bottom: 884 });
});

it('goes above a bar that fills the edge', () => {
  const bar = [at(300, 830, 700, 870), at(720, 830, 900, 870), at(1000, 830, 1190, 870)];
  expect(findPlace(room, bar).bottom).toBeLessThan(830);
});

it('goes aside rather than far up', () => {
  const column = Array.from({ length: 18 }, (_, row) => at(300, row * 50, 500, row * 50 + 30));
  expect(findPlace(room, column)).toMatchObject({ left: 556, bottom: 884 });
});

it('covers on a phone what can be scrolled away rather than what cannot', () => {
  const phone = {
    area: { left: 8, top: 8, right: 382, bottom: 836 },
    sightTop: 56,
    edge: 'top',
    width: 374,
    height: 120,
    detour: 48,
  } as const;
  const header = [at(8, 10, 382, 50), at(8, 60, 382, 100), at(8, 110, 382, 190)];
  const rows = Array.from({ length: 8 }, (_, row) => ({ ...at(8, 200 + row * 80, 382, 270 + row * 80), up: 900 }));
  expect(findPlace(phone, [...header, ...rows]).bottom).toBeGreaterThan(820);
});

it('keeps off what is disabled for now, as the buttons of a sheet that cannot be saved', () => {
  document.body.innerHTML = '<button disabled>Save</button><div data-notices><button>Dismiss</button></div>';
  const save = document.querySelector('button') as HTMLElement;
  save.getBoundingClientRect = () => new DOMRect(8, 10, 374, 40);
  document.elementFromPoint = () => save;
  expect(findPressables().map(({ box }) => box)).toEqual([save.getBoundingClientRect()]);
});

it.each([
  ['static', 300, 200],
  ['fixed', 0, 0],
  ['sticky', 0, 0],
])('takes what is in a part that is %s for such as a scroll brings %i px up and %i px down', (position, up, down) => {
  document.body.innerHTML = `<div style="position: ${position}"><span><button>Save</button></span></div>`;
  const button = document.querySelector('button') as HTMLElement;
  button.getBoundingClientRect = () => new DOMRect(8, 10, 374, 40);
  document.elementFromPoint = () => button;
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(1344);
  vi.spyOn(document.documentElement, 'clientHeight', 'get').mockReturnValue(844);
  vi.spyOn(document.documentElement, 'scrollTop', 'get').mockReturnValue(200);
  expect(findPressables()).toMatchObject([{ up, down }]);
});
