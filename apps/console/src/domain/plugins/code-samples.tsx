import type { PluginFormUi } from '@cordon/plugin-kit/form';
import { type ComponentProps, useState } from 'react';
import { CodeBlock } from '../../ui/code-block';
import { Field } from '../../ui/field';
import { Select } from '../../ui/select';

/** The same program in several languages, one at a time. */
export default function CodeSamples({ label, hint, samples }: ComponentProps<PluginFormUi['Code']>) {
  const [chosen, setChosen] = useState(samples[0]?.id ?? '');
  const sample = samples.find(({ id }) => id === chosen);
  return (
    <>
      <Field label={label} hint={hint}>
        <Select
          options={samples.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen}
          onValueChange={setChosen}
        />
      </Field>
      {sample && <CodeBlock code={sample.code} label={sample.name} scroll />}
    </>
  );
}
