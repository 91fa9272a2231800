import { ApiError, isSame, type Route, type Version } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { Rocket } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isStale } from '../../../domain/data/use-saves';
import { Callout } from '../../../domain/form/callout';
import { NOTE_MAX } from '../../../domain/form/note-max';
import { useAsked } from '../../../domain/form/use-asked';
import { isOperationRunning } from '../../../domain/model/domain-state';
import { useCodeWords, useErrorList } from '../../../domain/words/error-words';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { Button } from '../../../ui/button';
import { Field } from '../../../ui/field';
import { notify } from '../../../ui/notices';
import { joinSentences } from '../../../ui/sentences';
import { TextInput } from '../../../ui/text-input';
import { rollbackOptions } from './queries';
import { useRollBack } from './use-roll-back';
import { canRollBack } from './version-choice';

interface RollbackParts {
  route: Route;
  version: Version | undefined;
  /** The dialog's title says so already. */
  isTitled: boolean;
  open: boolean;
  onDone: () => void;
}

/** Bringing a version back: its effects, the note, and the buttons. Nothing for the draft, and for what is live already. */
export function useRollback({ route: current, version, isTitled, open, onDone }: RollbackParts) {
  const t = useTranslations('versions');
  const tSave = useTranslations('domain.save');
  const formId = useId();
  const rollBack = useRollBack(current.id);
  const [notes, setNotes] = useState<Readonly<Record<number, string>>>({});
  const [saving, setSaving] = useState<'draft' | 'deploy'>();
  const { about: route, ask, isLost } = useAsked(open && version?.version, current);
  const isDraft = version !== undefined && isSame(route.draft, version.config);
  const isOffered = version !== undefined && canRollBack(route, version.version);
  const number = version?.version ?? 0;
  const check = useQuery({ ...rollbackOptions(route.id, number, route.draft_revision), enabled: isOffered });
  const problems = check.data?.problems ?? [];
  const isReady = isOffered && check.isSuccess && problems.length === 0 && !isOperationRunning(route);
  const note = notes[number] ?? '';

  async function onRollBack(deploy: boolean) {
    if (!version || !isReady || saving || (deploy && route.suspension !== null)) return;
    setSaving(deploy ? 'deploy' : 'draft');
    try {
      await ask(() =>
        rollBack.mutateAsync({
          version: version.version,
          revision: route.draft_revision,
          // What is gone has been read: it stands above the button.
          body: { deploy, note: note.trim(), accept_gone: true },
        }),
      );
      if (!deploy) notify({ tone: 'success', title: tSave('savedDraft') });
      setNotes({});
      onDone();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    } finally {
      setSaving(undefined);
    }
  }
  const buttons = isOffered && (
    <>
      <Button
        loading={saving === 'draft'}
        disabled={!isReady || isDraft || saving === 'deploy'}
        title={isDraft ? t('back.same') : undefined}
        onClick={() => void onRollBack(false)}
      >
        {t('toDraft')}
      </Button>
      <Button
        type="submit"
        form={formId}
        variant="primary"
        icon={<Rocket size={16} aria-hidden />}
        loading={saving === 'deploy'}
        disabled={!isReady || saving === 'draft' || route.suspension !== null}
        title={route.suspension === null ? undefined : tSave('suspended')}
      >
        {t('rollBack', { version: number })}
      </Button>
    </>
  );
  return {
    route,
    version: isOffered ? version : undefined,
    isTitled,
    formId,
    check,
    error: rollBack.error,
    note,
    isNoted: note !== '',
    isLost,
    setNote: (text: string) => setNotes({ [number]: text }),
    submit: () => void onRollBack(true),
    buttons: buttons as ReactNode,
  };
}

/** `plugins.0.config.deny.3` is shown as the plugin's name, everything else as its own. */
function useWhere(version: Version) {
  const t = useTranslations('domain.changes');
  const words = usePluginWords();
  return (path: string) => {
    const plugin = /^plugins\.(\d+)/.exec(path)?.[1];
    const name = plugin === undefined ? undefined : version.config.plugins[Number(plugin)]?.name;
    if (name) return words ? pluginName(words(name), name) : name;
    const target = /^upstreams\.targets\.(\d+)/.exec(path)?.[1];
    if (target !== undefined) return version.config.upstreams.targets[Number(target)]?.host ?? t('field.targets');
    const field = path.replace(/^upstreams\./, '');
    return t.has(`field.${field}` as 'field.targets') ? t(`field.${field}` as 'field.targets') : field;
  };
}

function RollbackFindings({ rollback, version }: { rollback: ReturnType<typeof useRollback>; version: Version }) {
  const t = useTranslations('versions.back');
  const codeWords = useCodeWords();
  const where = useWhere(version);
  const { check, route } = rollback;
  if (check.isPending) return <p className="text-sm text-muted">{t('checking')}</p>;
  const { gone = [], problems = [] } = check.data ?? {};
  return (
    <>
      {gone.length > 0 && (
        <Callout tone="warning" role="status">
          <p className="font-medium">{t('gone')}</p>
          <ul className="mt-0.5 flex flex-col gap-0.5 text-ink">
            {gone.map((part) => (
              <li key={`${part.kind} ${part.name}`}>{t(`part.${part.kind}`, { name: part.name })}</li>
            ))}
          </ul>
        </Callout>
      )}
      {problems.length > 0 && (
        <Callout tone="danger" role="alert">
          <p className="font-medium">{t('problems')}</p>
          <ul className="mt-0.5 flex flex-col gap-0.5">
            {problems.map(({ path, code, params }) => (
              <li key={path}>{t('problem', { where: where(path), what: codeWords(code, params) })}</li>
            ))}
          </ul>
        </Callout>
      )}
      {route.pending_changes > 0 && !isSame(route.draft, version.config) && (
        <p className="text-sm text-warning">{t('waiting', { count: route.pending_changes })}</p>
      )}
    </>
  );
}

/** What stands in the way or does not come back, said before the buttons; and the note. */
export function RollbackForm({ rollback }: { rollback: ReturnType<typeof useRollback> }) {
  const t = useTranslations('versions');
  const errorList = useErrorList();
  const { version, error } = rollback;
  if (!version) return null;
  return (
    <form
      id={rollback.formId}
      onSubmit={(event) => {
        event.preventDefault();
        rollback.submit();
      }}
      className="flex flex-col gap-3 rounded-control border border-line px-4 py-3"
    >
      <div>
        {!rollback.isTitled && <h3 className="font-medium">{t('back.title', { version: version.version })}</h3>}
        <p className="text-sm text-muted">{t('back.body')}</p>
      </div>
      {error && (
        <Callout tone="danger" role="alert">
          {isStale(error) ? t('stale') : joinSentences(errorList(error))}
        </Callout>
      )}
      <RollbackFindings rollback={rollback} version={version} />
      <Field label={t('back.note')}>
        <TextInput
          value={rollback.note}
          // With another note it would be another request.
          disabled={rollback.isLost}
          maxLength={NOTE_MAX}
          onChange={(event) => rollback.setNote(event.target.value)}
        />
      </Field>
    </form>
  );
}
