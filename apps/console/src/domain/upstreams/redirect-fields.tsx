import { useRef } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import { Skeleton } from '../../ui/states';
import { partErrors } from '../form/contract-form';
import { PluginFields } from '../plugins/plugin-fields';
import { usePluginErrors } from '../plugins/use-plugin-errors';
import { errorParams } from '../words/error-params';
import { type PluginWords, usePluginWords } from '../words/plugin-words';
import { redirecting, type UpstreamValues } from './upstream-values';

function Fields({ words, disabled }: { words: PluginWords; disabled: boolean }) {
  const form = useFormContext<UpstreamValues>();
  const { messageOf } = usePluginErrors(words);
  const place = useRef<HTMLDivElement>(null);
  const errors = Object.fromEntries(
    partErrors(form.formState.errors.redirection).map(([path, error]) => [
      path,
      messageOf(error.message ?? '', errorParams(error)),
    ]),
  );
  // Where the form moves the focus to when something is wrong here.
  const focus = () => place.current?.querySelector<HTMLElement>('[aria-invalid=true], input')?.focus();
  if (!redirecting) return null;
  const definition = redirecting;
  return (
    <Controller
      control={form.control}
      name="redirection"
      render={({ field }) => {
        field.ref({ focus, select: focus, setCustomValidity: () => {}, reportValidity: () => {} });
        const parsed = definition.schema.safeParse(field.value);
        return (
          <div ref={place} className="flex flex-col gap-5">
            <PluginFields
              definition={definition}
              words={words}
              value={field.value}
              onChange={field.onChange}
              errors={errors}
              disabled={disabled}
            />
            {parsed.success &&
              definition.notices(parsed.data).map((notice) => (
                <p key={notice.path + notice.message} className="text-sm text-warning">
                  {words(notice.message, notice.params)}
                </p>
              ))}
          </div>
        );
      }}
    />
  );
}

/** Where visitors are redirected to, by the form of the plugin that does it. */
export function RedirectFields({ disabled = false }: { disabled?: boolean }) {
  const words = usePluginWords();
  if (!redirecting) return null;
  return words ? <Fields words={words(redirecting.name)} disabled={disabled} /> : <Skeleton className="h-48 w-full" />;
}
