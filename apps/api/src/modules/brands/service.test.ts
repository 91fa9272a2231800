import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brand as contractBrand, edgeSettings } from '@cordon/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { brandsFile } from './schema.ts';
import { loadBrands, toContractBrand, toEdgeBrands } from './service.ts';
import { shippedBrands } from './shipped-brands.ts';

const folder = mkdtempSync(join(tmpdir(), 'cordon-brands-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileWith = (content: unknown): string => {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const origin = 'http://127.0.0.1:8000';
const [cordon] = shippedBrands.brands;

describe('brands', () => {
  it('finds the shipped brands by hostname, in any case', () => {
    const brands = loadBrands({ origin });
    expect(brands.byHostname('LOCALHOST')?.key).toBe('cordon');
    expect(brands.byHostname('palisade.test')?.key).toBe('palisade');
    expect(brands.byHostname('console.partner.test')).toMatchObject({ key: 'partner', white_label: true });
    expect(brands.byHostname('evil.test')).toBeUndefined();
    expect(brands.byHostname('constructor')).toBeUndefined();
  });

  it('gives each brand an address of its own, the canonical one to the brand that has its name', () => {
    const brands = loadBrands({ origin });
    expect(brands.byKey('cordon')?.origin).toBe('http://127.0.0.1:8000');
    expect(brands.byKey('palisade')?.origin).toBe('http://palisade.test:8000');
    expect(loadBrands({ origin: 'https://palisade.test' }).byKey('palisade')?.origin).toBe('https://palisade.test');
    expect(loadBrands({ origin: 'https://palisade.test' }).byKey('cordon')?.origin).toBe('https://cordon.test');
  });

  it('gives a canonical name that no brand lists to the default brand', () => {
    const brands = loadBrands({ origin: 'https://cdn.example.com' });
    expect(brands.byHostname('cdn.example.com')).toMatchObject({ key: 'cordon', origin: 'https://cdn.example.com' });
    expect(brands.hostnames.has('cdn.example.com')).toBe(true);
  });

  it('refuses a file with every fault named at once', () => {
    const file = fileWith({
      default: 'nobody',
      brands: [
        { ...cordon, colors: { ...cordon?.colors, primary: '#ffee00' } },
        { ...cordon, key: 'other', abuse_contact: 'nowhere', extra: 1 },
      ],
    });
    expect(() => loadBrands({ origin, file })).toThrow(/contrast .* below AA[\s\S]*abuse_contact[\s\S]*extra/);
    const twice = fileWith({ default: 'nobody', brands: [cordon, { ...cordon, key: 'other' }] });
    expect(() => loadBrands({ origin, file: twice })).toThrow(/belongs to cordon already[\s\S]*no brand has this key/);
    expect(() => loadBrands({ origin, file: fileWith('{') })).toThrow(/cannot read/);
    expect(() => loadBrands({ origin, file: join(folder, 'absent.json') })).toThrow(/cannot read/);
  });

  it('speaks the shapes of the contract', () => {
    const brands = loadBrands({ origin });
    const oidc = { authority: `${origin}/auth/realms/cordon`, client_id: 'cordon-console', realm: 'cordon' };
    for (const brand of brands.all) {
      const shown = contractBrand.parse(toContractBrand(brand, oidc));
      expect(shown.logo_svg).toMatch(/^data:image\/svg\+xml;base64,/);
    }
    const edge = edgeSettings.pick({ default_brand: true, brands: true }).parse(toEdgeBrands(brands));
    expect(edge.default_brand).toBe('cordon');
    expect(edge.brands.partner).toEqual({
      name: 'Domain Console',
      primary_color: '#475569',
      abuse_contact: 'abuse@partner.test',
      console_url: 'http://console.partner.test:8000',
      hides_provider: true,
    });
  });

  it('the white-label brand names no other brand', () => {
    const partner = shippedBrands.brands.find((brand) => brand.white_label);
    expect(JSON.stringify(partner)).not.toMatch(/cordon|palisade/i);
  });

  it('docs/brands.schema.json is the schema of the file', () => {
    const documented = JSON.parse(
      readFileSync(new URL('../../../../../docs/brands.schema.json', import.meta.url), 'utf8'),
    );
    expect(documented).toEqual(JSON.parse(JSON.stringify(z.toJSONSchema(brandsFile, { io: 'input' }))));
  });
});
