import { readFileSync } from 'node:fs';
import type { Brand as ContractBrand, EdgeSettings } from '@cordon/contract';
import { type BrandEntry, brandsFile } from './schema.ts';
import { shippedBrands } from './shipped-brands.ts';

/** A brand with the address that its console lives at. */
export interface Brand extends BrandEntry {
  /** Scheme, name and port of the console under this brand; also where its issuer lives. */
  readonly origin: string;
}

export interface Brands {
  readonly all: readonly Brand[];
  /** Used where no hostname decides. */
  readonly fallback: Brand;
  /** Brand of a hostname without port, in any case; undefined for a name that no brand has. */
  byHostname(hostname: string): Brand | undefined;
  byKey(key: string): Brand | undefined;
  /** Every name that the console answers to. */
  readonly hostnames: ReadonlySet<string>;
}

export class BrandsFileError extends Error {}

export interface BrandsOptions {
  /** `CORDON_ORIGIN`. Its hostname belongs to the default brand unless the file gives it to another. */
  readonly origin: string;
  /** `CORDON_BRANDS`: path of a JSON file; without it the shipped brands are used. */
  readonly file?: string | undefined;
}

/** Reads and checks the brands. Throws `BrandsFileError` that names every fault of the file at once. */
export function loadBrands(options: BrandsOptions): Brands {
  const parsed = brandsFile.safeParse(options.file === undefined ? shippedBrands : readJson(options.file));
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.') || '(file)'}: ${issue.message}`);
    throw new BrandsFileError(
      `${options.file ?? 'The shipped brands'} is not a valid brands file:\n${faults.join('\n')}`,
    );
  }
  return arrange(parsed.data.brands, parsed.data.default, new URL(options.origin));
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new BrandsFileError(`CORDON_BRANDS: cannot read ${file} as JSON`, { cause });
  }
}

function arrange(entries: readonly BrandEntry[], defaultKey: string, canonical: URL): Brands {
  const owner = entries.find((entry) => entry.hostnames.includes(canonical.hostname))?.key ?? defaultKey;
  const originOf = (entry: BrandEntry): string => {
    if (entry.key === owner) return canonical.origin;
    if (entry.origin !== undefined) return entry.origin;
    const port = canonical.port === '' ? '' : `:${canonical.port}`;
    return `${canonical.protocol}//${entry.hostnames[0]}${port}`;
  };
  const all: Brand[] = entries.map((entry) => ({ ...entry, origin: originOf(entry) }));
  const byHostname = new Map(all.flatMap((brand) => brand.hostnames.map((name) => [name, brand] as const)));
  const fallback = all.find((brand) => brand.key === defaultKey);
  const canonicalBrand = all.find((brand) => brand.key === owner);
  if (fallback === undefined || canonicalBrand === undefined) throw new BrandsFileError('the default brand is missing');
  byHostname.set(canonical.hostname, canonicalBrand);
  return {
    all,
    fallback,
    byHostname: (hostname) => byHostname.get(hostname.toLowerCase()),
    byKey: (key) => all.find((brand) => brand.key === key),
    hostnames: new Set(byHostname.keys()),
  };
}

/** Where people sign in: the embedded provider of the brand's own host, or the deployment's external one. */
export interface SignIn {
  readonly authority: string;
  readonly client_id: string;
  readonly realm: string;
}

/** What the console gets to know of a brand. */
export function toContractBrand(brand: Brand, oidc: SignIn): ContractBrand {
  return {
    key: brand.key,
    name: brand.name,
    title: brand.title,
    logo_svg:
      brand.logo_svg === null ? null : `data:image/svg+xml;base64,${Buffer.from(brand.logo_svg).toString('base64')}`,
    colors: brand.colors,
    white_label: brand.white_label,
    abuse_contact: brand.abuse_contact,
    support_email: brand.support_email,
    chat_enabled: brand.chat_enabled,
    oidc,
  };
}

/** What the edge's pages need of every brand: part of `EdgeSettings`. */
export function toEdgeBrands(brands: Brands): Pick<EdgeSettings, 'default_brand' | 'brands'> {
  const edgeBrand = (brand: Brand): EdgeSettings['brands'][string] => ({
    name: brand.name,
    primary_color: brand.colors.primary,
    abuse_contact: brand.abuse_contact,
    console_url: brand.origin,
    hides_provider: brand.white_label,
  });
  return {
    default_brand: brands.fallback.key,
    brands: Object.fromEntries(brands.all.map((brand) => [brand.key, edgeBrand(brand)])),
  };
}
