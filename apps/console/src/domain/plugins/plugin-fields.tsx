import type { PluginDefinition, PluginNotice } from '@cordon/plugin-kit';
import type { AnyPluginForm, PluginMatches } from '@cordon/plugin-kit/form';
import { forms } from '@cordon/plugins/forms';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, Suspense, useLayoutEffect } from 'react';
import { deploymentConfigOptions } from '../../app/deployment-config';
import { lazyPart } from '../../ui/lazy-part';
import { Skeleton } from '../../ui/states';
import type { PluginWords } from '../words/plugin-words';
import { GeneratedForm } from './generated-form';
import { pluginFormUi } from './plugin-form-ui';

export type PluginConfig = Record<string, unknown>;
type OwnForm = ComponentType<Parameters<typeof GeneratedForm>[0]>;
type ToldForm = ComponentType<Parameters<typeof GeneratedForm>[0] & { onShown: (() => void) | undefined }>;

/** A form that tells once that it is there; what stands in its place while it is not tells nothing. */
const told = (Form: OwnForm): ToldForm =>
  function Told({ onShown, ...props }) {
    // biome-ignore lint/correctness/useExhaustiveDependencies: once
    useLayoutEffect(() => onShown?.(), []);
    return <Form {...props} />;
  };
const ToldGeneratedForm = told(GeneratedForm);

const ownForms = new Map<string, ToldForm>();
/** A plugin's own form, made lazy once. */
function ownFormOf(name: string): ToldForm | undefined {
  const load = forms[name];
  if (load && !ownForms.has(name)) {
    // The registry's forms take the configuration of their own plugin; the console gives it exactly that one.
    ownForms.set(
      name,
      lazyPart(async () => ({ default: told((await load()).default as AnyPluginForm as unknown as OwnForm) })),
    );
  }
  return ownForms.get(name);
}

interface PluginFieldsProps {
  definition: PluginDefinition;
  words: PluginWords;
  value: PluginConfig;
  onChange: (value: PluginConfig) => void;
  /** By path inside the configuration, in the reader's language. */
  errors: Readonly<Record<string, string>>;
  disabled: boolean;
  /** What the plugin remarks; shown at lists. */
  notices?: readonly PluginNotice[];
  /** What its rules would have matched. */
  matches?: PluginMatches | undefined;
  /** For plugins that ask it in their form. */
  enabled?: boolean;
  /** Told of an entry of a list that is typed. */
  onTyping?: (path: string, isTyping: boolean) => void;
  onEnabledChange?: (enabled: boolean, value: PluginConfig) => void;
  /** Called once the form is there, not what says that it could not be loaded. */
  onShown?: () => void;
}

/** The fields of a plugin's configuration, by its own form or one made from its schema. */
export function PluginFields({ definition, words, onChange, onEnabledChange, onShown, ...props }: PluginFieldsProps) {
  const Form = ownFormOf(definition.name) ?? ToldGeneratedForm;
  const features = useQuery({ ...deploymentConfigOptions, enabled: definition.needs !== undefined }).data?.features;
  return (
    <Suspense fallback={<Skeleton className="h-48 w-full" />}>
      <Form
        schema={definition.schema}
        {...props}
        features={features}
        onChange={(config) => onChange(config as PluginConfig)}
        {...(definition.asksEnabled &&
          onEnabledChange && { onEnabledChange: (isOn, config) => onEnabledChange(isOn, config as PluginConfig) })}
        t={words}
        ui={pluginFormUi}
        onShown={onShown}
      />
    </Suspense>
  );
}
