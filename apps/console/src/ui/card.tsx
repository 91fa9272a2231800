import clsx from 'clsx';
import { ArrowDownRight, ArrowRight, ArrowUpRight } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

export interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: ReactNode;
  description?: ReactNode;
  /** Right of the title. */
  actions?: ReactNode;
  /** No padding around the content: tables, lists. */
  flush?: boolean;
  /** The content takes the height that the card has beside a higher one. */
  fill?: boolean;
}

/** A surface with an optional header. */
export function Card({ title, description, actions, flush, fill, className, children, ...rest }: CardProps) {
  return (
    <section
      {...rest}
      className={clsx('min-w-0 rounded-card border border-line bg-card', fill && 'flex flex-col', className)}
    >
      {(title || actions) && (
        <header
          className={clsx(
            'flex flex-wrap justify-between gap-x-4 gap-y-2 px-4 pt-4',
            description ? 'items-start' : 'items-center',
          )}
        >
          <div className="min-w-0">
            {title && <h2 className="font-semibold">{title}</h2>}
            {description && <p className="mt-0.5 text-sm text-muted">{description}</p>}
          </div>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className={clsx(flush ? (title || actions) && 'pt-3' : 'p-4', fill && 'flex flex-1 flex-col')}>
        {children}
      </div>
    </section>
  );
}

export interface StatCardProps {
  label: ReactNode;
  /** Already formatted; formatters join number and unit so that they never part. Undefined shows a skeleton. */
  value: string | undefined;
  /** Change against the period before, already formatted with its sign. */
  delta?: {
    text: string;
    /** Absent where there is nothing to compare with. */
    direction?: 'up' | 'down' | 'flat';
    tone: 'success' | 'danger' | 'neutral';
    description: string;
  };
  /** Where the number leads; the whole card is the link. */
  href?: string | undefined;
  /** Its course or what belongs to it, below the number. */
  chart?: ReactNode;
}

const deltaIcons = { up: ArrowUpRight, down: ArrowDownRight, flat: ArrowRight };
const deltaTones = { success: 'text-success', danger: 'text-danger', neutral: 'text-muted' };

/** One number. The delta goes under the number when both do not fit in one line; charts of cards beside each other end together. */
export function StatCard({ label, value, delta, href, chart }: StatCardProps) {
  const DeltaIcon = delta?.direction && deltaIcons[delta.direction];
  return (
    <section
      className={clsx(
        'relative flex min-w-0 flex-col justify-between rounded-card border border-line bg-card p-4',
        href !== undefined && 'hover:bg-sunken',
      )}
    >
      <div>
        <h2 className="text-sm text-muted">
          {href === undefined ? (
            label
          ) : (
            <a href={href} className="text-muted no-underline after:absolute after:inset-0">
              {label}
            </a>
          )}
        </h2>
        {value === undefined ? (
          <div className="skeleton mt-1 h-8 w-24" />
        ) : (
          <p className="mt-1 flex min-h-8 flex-wrap items-baseline gap-x-2 gap-y-0.5">
            <span className="tabular text-2xl font-semibold tracking-tight whitespace-nowrap phone:text-xl">
              {value}
            </span>
            {delta && (
              <span
                className={clsx(
                  'tabular inline-flex items-center gap-0.5 text-sm whitespace-nowrap',
                  deltaTones[delta.tone],
                )}
                title={delta.description}
              >
                {DeltaIcon && <DeltaIcon size={14} aria-hidden />}
                {delta.text}
                <span className="sr-only"> {delta.description}</span>
              </span>
            )}
          </p>
        )}
      </div>
      {chart}
    </section>
  );
}

/** Stat cards side by side: two on a phone, all on a desk; `columns` where they are others than four there. */
export function StatGrid({ columns, children }: { columns?: number | undefined; children: ReactNode }) {
  return (
    <div
      className="grid grid-cols-2 gap-3 md:grid-cols-4"
      style={columns === undefined ? undefined : { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {children}
    </div>
  );
}
