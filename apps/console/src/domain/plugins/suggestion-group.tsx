import type { OverviewSuggestions } from '@cordon/plugin-kit/overview';
import { ChevronDown, Plus } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';

const SHOWN = 3;
/** A button for one more would take as much room as that one. */
const HIDDEN_MIN = 2;

/** What is often set besides, in few words; those beyond the first few when asked for. */
export function SuggestionGroup({ label, items }: OverviewSuggestions) {
  const t = useTranslations('domain.plugin.overview');
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const [isWhole, setIsWhole] = useState(false);
  const more = items.length - SHOWN;
  const hidden = isWhole || more < HIDDEN_MIN ? 0 : more;

  function showAll() {
    setIsWhole(true);
    // The button that has the focus goes.
    requestAnimationFrame(() => list.current?.querySelectorAll('button')[SHOWN]?.focus());
  }
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h3 id={id} className="text-sm text-muted">
        {label}
      </h3>
      <ul ref={list} className="mt-1 divide-y divide-line border-t border-line">
        {items.slice(0, items.length - hidden).map(({ name, gist, why, onTake }) => (
          <li key={name} className="flex items-center gap-3 py-1 text-sm" title={why}>
            <span className="min-w-0 flex-1">
              <code className="font-mono font-semibold wrap-anywhere">{name}</code>{' '}
              <span className="text-muted">{gist}</span>
            </span>
            <Button size="sm" icon={<Plus size={16} aria-hidden />} aria-label={t('addOf', { name })} onClick={onTake}>
              {t('add')}
            </Button>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button
          variant="ghost"
          size="sm"
          icon={<ChevronDown size={16} aria-hidden />}
          className="-ml-2"
          onClick={showAll}
        >
          {t('more', { count: hidden })}
        </Button>
      )}
    </section>
  );
}
