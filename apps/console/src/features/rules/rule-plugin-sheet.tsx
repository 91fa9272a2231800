import { isSame, onlySwitchesOff, type PluginEntry } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { withoutEmptyRows } from '../../domain/plugins/empty-rows';
import { countWrong, ErrorCount } from '../../domain/plugins/error-count';
import { NoticeList } from '../../domain/plugins/notice-list';
import { type PluginConfig, PluginFields } from '../../domain/plugins/plugin-fields';
import { startEntry } from '../../domain/plugins/start-entry';
import { switchedOff } from '../../domain/plugins/switched-off';
import { usePluginCheck } from '../../domain/plugins/use-plugin-check';
import { type PluginWords, pluginName } from '../../domain/words/plugin-words';
import { Button } from '../../ui/button';
import { CloseButton } from '../../ui/closing';
import { useLeadToError } from '../../ui/lead-to-error';
import { Sheet } from '../../ui/sheet';
import { Switch } from '../../ui/switch';

interface RulePluginSheetProps {
  entry: PluginEntry;
  /** Not in the rule yet: there is something to add even before anything is typed. */
  isNew: boolean;
  /** The rule holds no settings for it: switched off, it leaves each domain its own. */
  isUnset: boolean;
  /** Lists of domains are merged: what is switched off keeps its settings. */
  isMerged: boolean;
  definition: PluginDefinition;
  words: PluginWords;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDone: (entry: PluginEntry) => void;
}

/** Sets one plugin of a rule; the rule itself is saved on its own page. */
export default function RulePluginSheet({
  entry: given,
  isNew,
  isUnset,
  isMerged,
  definition,
  words,
  open,
  onOpenChange,
  onDone,
}: RulePluginSheetProps) {
  const t = useTranslations('rules.plugin');
  const tUi = useTranslations('ui');
  const tPlugin = useTranslations('domain.plugin');
  const first = useMemo(() => startEntry(definition, words), [definition, words]);
  const start = useMemo(() => (onlySwitchesOff(given) ? { ...first, enabled: false } : given), [given, first]);
  const body = useRef<HTMLDivElement>(null);
  const leadToError = useLeadToError(body);
  const [entry, setEntry] = useState(start);
  const [wasTried, setTried] = useState(false);
  const [isShown, setShown] = useState(false);
  const { notices, ...check } = usePluginCheck(definition, words, entry.config, wasTried);
  const off = switchedOff(definition, entry, isUnset ? undefined : start);
  const isOnlyOff =
    !entry.enabled && (off?.length === 0 || (isUnset && isSame(withoutEmptyRows(entry.config), first.config)));
  const errors = off ? {} : check.errors;
  const isDirty = useMemo(() => !isSame(entry, start), [entry, start]);

  function finish() {
    const config = withoutEmptyRows(entry.config);
    setTried(true);
    setEntry({ ...entry, config });
    check.checkNow(config);
    const parsed = check.parse(config);
    if (isOnlyOff) onDone({ name: entry.name, enabled: false, config: {} });
    else if (parsed.success) onDone({ ...entry, config: parsed.data as PluginConfig });
    else if (off?.[0]) onDone(off[0]);
    else leadToError();
  }
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={pluginName(words, definition.name)}
      description={words('description')}
      size={definition.hasWideForm ? 'lg' : 'md'}
      dirty={isDirty}
      actions={
        !definition.asksEnabled && (
          <Switch
            label={tPlugin('enabled')}
            checked={entry.enabled}
            onChange={(event) => setEntry({ ...entry, enabled: event.target.checked })}
            end
            className="mt-1 phone:mt-0"
          />
        )
      }
      footer={
        <>
          <ErrorCount count={wasTried ? countWrong(errors) : 0} />
          <CloseButton>{tUi('cancel')}</CloseButton>
          <Button variant="primary" disabled={!isShown} onClick={finish}>
            {t(isNew ? 'add' : 'done')}
          </Button>
        </>
      }
    >
      <div ref={body} className="flex flex-col gap-5">
        <PluginFields
          definition={definition}
          words={words}
          value={entry.config}
          onChange={(config) => setEntry({ ...entry, config })}
          errors={errors}
          disabled={false}
          notices={notices}
          onShown={() => setShown(true)}
          enabled={entry.enabled}
          onEnabledChange={(enabled, config) => setEntry({ ...entry, enabled, config })}
        />
        {!entry.enabled && <p className="text-muted">{t(isOnlyOff || isMerged ? 'offKeeps' : 'offSets')}</p>}
        <NoticeList notices={notices} words={words} />
      </div>
    </Sheet>
  );
}
