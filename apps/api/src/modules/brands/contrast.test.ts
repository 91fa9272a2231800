import { describe, expect, it } from 'vitest';
import { brandContrasts, CONTRAST_AA, contrastRatio, mixInOklab } from './contrast.ts';
import { shippedBrands } from './shipped-brands.ts';

describe('contrast', () => {
  it('agrees with known ratios', () => {
    expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrastRatio('#ffffff', '#ffffff')).toBe(1);
    expect(contrastRatio('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  });

  it('mixes as CSS color-mix in oklab does', () => {
    expect(mixInOklab('#3f6df0', 1, '#ffffff')).toBe('#3f6df0');
    expect(mixInOklab('#3f6df0', 0, '#ffffff')).toBe('#ffffff');
    expect(mixInOklab('#000000', 0.5, '#ffffff')).toBe('#636363');
  });

  it.each(shippedBrands.brands.map((brand) => [brand.key, brand.colors] as const))(
    'every text of the shipped brand %s has AA contrast in both themes',
    (_, colors) => {
      const contrasts = brandContrasts(colors);
      expect(contrasts.length).toBeGreaterThanOrEqual(12);
      expect(contrasts.filter(({ ratio }) => ratio < CONTRAST_AA)).toEqual([]);
    },
  );
});
