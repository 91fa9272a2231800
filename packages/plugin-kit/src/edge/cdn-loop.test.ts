import { expect, it } from 'vitest';
import { namesCdn } from './cdn-loop.ts';

it.each([
  'cordon',
  'Cordon; v=1',
  'a, cordon',
  'a,cordon,b',
  ' cordon\t',
  'a;v=1 ,\tCORDON;',
  'a'.repeat(20_000).concat(', cordon'),
])('finds an entry of this CDN: %#', (field) => expect(namesCdn(field, 'Cordon')).toBe(true));

it.each(['', 'cordo', 'xcordon', 'cordonx', 'cordon-2', 'a; cordon', 'a cordon', 'cordon b', 'a;v=cordon'])(
  'takes no other for it: %s',
  (field) => expect(namesCdn(field, 'cordon')).toBe(false),
);

it.each(['', 'a', 'a, b'])('is named nowhere without a name: %j', (field) => expect(namesCdn(field, '')).toBe(false));
