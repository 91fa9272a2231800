import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { luaModuleName, runUnderLuaJit, toLuaLiteral } from '../testing/luajit.ts';
import { hmacSha256Hex } from './hmac.ts';

// Lengths around the block of 64 bytes, for keys and texts, and bytes of all sizes.
const texts = [
  '',
  'a',
  '/files/a%20b.zip\n1790000000',
  'é水😀',
  ...[54, 55, 56, 63, 64, 65, 119, 120, 300].map((n) => 'x'.repeat(n)),
];
const pairs = texts.flatMap((key) => texts.map((text) => [key, text] as const));
const expected = pairs.map(([key, text]) => createHmac('sha256', key).update(text).digest('hex'));

it('is HMAC-SHA256', () => {
  expect(pairs.map(([key, text]) => hmacSha256Hex(key, text))).toEqual(expected);
});

it('is the same under LuaJIT', () => {
  const file = fileURLToPath(new URL('./hmac.ts', import.meta.url));
  const script = `local hmac = require(${toLuaLiteral(luaModuleName(file))})
for _, pair in ipairs(${toLuaLiteral(pairs)}) do print(hmac.hmacSha256Hex(pair[1], pair[2])) end`;
  expect(runUnderLuaJit([file], script).trimEnd().split('\n')).toEqual(expected);
}, 60_000);
