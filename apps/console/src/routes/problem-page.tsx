import type { ReactNode } from 'react';
import { useBrand } from '../app/brand';
import { BrandLogo } from '../app/brand-logo';
import { ErrorScreen } from '../app/error-screen';

interface ProblemPageProps {
  code?: string | undefined;
  title: string;
  /** What of it to know, by its name. */
  facts?: readonly { name: string; value: string }[];
  actions: ReactNode;
  children: ReactNode;
}

/** What went wrong, why, and what to do: in the shell where it stands, else a page of its own. */
export function ProblemPage(props: ProblemPageProps) {
  const brand = useBrand();
  return (
    <ErrorScreen
      {...props}
      header={
        <header className="flex h-14 items-center border-b border-line bg-card px-5">
          <a href="#/" className="reach text-ink no-underline" aria-label={brand.name}>
            <BrandLogo />
          </a>
        </header>
      }
    />
  );
}
