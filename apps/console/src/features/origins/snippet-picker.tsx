import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { CodeBlock } from '../../ui/code-block';
import { Field } from '../../ui/field';
import { Select } from '../../ui/select';
import { SERVER_NAMES, SERVERS, type ServerKind } from './snippets';

/** Settings for the server that the customer has, to copy. */
export function SnippetPicker({ label, snippet }: { label: string; snippet: (server: ServerKind) => string }) {
  const t = useTranslations('origins.forwarded');
  const [server, setServer] = useState<ServerKind>('nginx');
  return (
    <div className="flex flex-col gap-3">
      <h3 className="font-medium">{label}</h3>
      <Field label={t('server')} className="w-56 phone:w-full">
        <Select
          options={SERVERS.map((value) => ({ value, label: SERVER_NAMES[value] }))}
          value={server}
          onValueChange={setServer}
        />
      </Field>
      <CodeBlock code={snippet(server)} label={SERVER_NAMES[server]} scroll />
    </div>
  );
}
