import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeText, matchAll } from './address-probe.ts';
import { luaModuleName, runUnderLuaJit, toLuaLiteral } from './luajit.ts';

const probe = fileURLToPath(new URL('./address-probe.ts', import.meta.url));
const octet = fc.constantFrom(0, 1, 127, 128, 254, 255);
const group = fc.constantFrom('0', '1', '8000', 'ffff', '2606', 'fe80');
const ipv4 = fc.oneof(
  fc.ipV4(),
  fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.')),
);
const ipv6 = fc.oneof(
  fc.ipV6(),
  fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':')),
);
const block = fc.oneof(
  fc.tuple(ipv4, fc.nat(33)).map(([base, prefix]) => `${base}/${prefix}`),
  fc.tuple(ipv6, fc.nat(129)).map(([base, prefix]) => `${base}/${prefix}`),
);
const garbage = fc.string({ unit: fc.constantFrom(...'0129afF:./%é '), maxLength: 30 });
const sampleOptions = { numRuns: 4000, seed: 20260101 };

it('means the same under LuaJIT as in Node', () => {
  const texts = fc.sample(fc.oneof(ipv4, ipv6, block, garbage), sampleOptions);
  const entries = fc.sample(fc.oneof(ipv4, ipv6, block), { ...sampleOptions, numRuns: 2000 });
  const clients = fc.sample(fc.oneof(ipv4, ipv6), { ...sampleOptions, seed: 7 });
  const script = [
    `local probe = require(${toLuaLiteral(luaModuleName(probe))})`,
    `for _, text in ipairs(${toLuaLiteral(texts)}) do print(probe.describeText(nil, text)) end`,
    `print(probe.matchAll(nil, ${toLuaLiteral(entries)}, ${toLuaLiteral(clients)}))`,
  ].join('\n');
  const lines = runUnderLuaJit([probe], script).trimEnd().split('\n');
  const expected = [...texts.map(describeText), ...matchAll(entries, clients).split('\n')];
  expect(lines).toEqual(expected);
  // The samples are worth something: many texts are addresses and many clients match.
  expect(expected.filter((line) => line.includes('ordinary')).length).toBeGreaterThan(500);
  expect(expected.slice(texts.length).filter((line) => line !== '-').length).toBeGreaterThan(500);
}, 60_000);
