import type { ReactNode } from 'react';
import { useBrand } from '../app/brand';
import { BrandLogo } from '../app/brand-logo';

/** A page of its own for what went wrong: what, why, and what to do. */
export function ProblemPage({
  code,
  title,
  children,
  actions,
}: {
  code: string;
  title: string;
  children: ReactNode;
  actions: ReactNode;
}) {
  const brand = useBrand();
  return (
    <div className="flex min-h-dvh flex-col bg-page">
      <header className="flex h-14 items-center px-5">
        <a href="#/" className="text-ink no-underline" aria-label={brand.name}>
          <BrandLogo />
        </a>
      </header>
      <main className="grid flex-1 place-items-center px-4 pb-24">
        <div className="w-full max-w-lg text-center">
          <p aria-hidden className="text-[64px] leading-none font-bold tracking-tighter text-primary-ink">
            {code}
          </p>
          <h1 tabIndex={-1} className="mt-3 text-2xl font-semibold tracking-tight text-balance outline-none">
            {title}
          </h1>
          <div className="mt-2 text-muted text-pretty">{children}</div>
          <div className="mt-6 flex flex-wrap justify-center gap-2">{actions}</div>
        </div>
      </main>
    </div>
  );
}
