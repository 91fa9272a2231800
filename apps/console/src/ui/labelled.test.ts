import { expect, it } from 'vitest';
import { labelled } from './labelled';

it.each([
  ['IP restriction', 'Blocked IP', 'IP restriction: Blocked IP'],
  ['Custom rules', '禁止', 'Custom rules: 禁止'],
  ['IP 黑白名单', 'IP 在黑名单中', 'IP 黑白名单：IP 在黑名单中'],
])('writes the colon of the language that %s is in', (name, text, said) => expect(labelled(name, text)).toBe(said));
