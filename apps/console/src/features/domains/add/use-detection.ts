import type { UpstreamTarget } from '@cordon/contract';
import { useEffect, useRef, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { verifiableTarget } from '../../../domain/upstreams/upstream-values';
import { useVerifyUpstreams } from '../../../domain/upstreams/use-verify-upstreams';
import type { AddDomainValues } from './add-domain-values';

const addressesOf = (targets: readonly UpstreamTarget[]): string => targets.map(verifiableTarget).join(' ');
const pathOf = (index: number) => `upstreams.targets.${index}.host` as const;
/** Codes that detection puts at a field; the resolver knows nothing of them. */
const DETECTED: readonly (string | undefined)[] = ['UPSTREAM_UNREACHABLE', 'UPSTREAM_FORBIDDEN'];

/** What the wizard keeps of the step with the targets, which comes and goes. */
export interface Admission {
  /** Whether the targets may be left; undefined while their step is not there. */
  ask?: (() => Promise<boolean>) | undefined;
  /** Addresses that are kept although they do not answer. */
  kept?: string | undefined;
}

/** Detection that runs by itself before the wizard lets go of the targets. */
export function useDetection(form: UseFormReturn<AddDomainValues>, admission: Admission) {
  const verification = useVerifyUpstreams(form.getValues('domain_name'));
  const addresses = addressesOf(useWatch({ control: form.control, name: 'upstreams.targets' }));
  const [silent, setSilent] = useState<string>();

  // What was found holds for the addresses that were asked; errors of the API are not detection's to take away.
  const asked = useRef<string>(undefined);
  useEffect(() => {
    if (asked.current === undefined || asked.current === addresses) return;
    asked.current = undefined;
    for (const index of form.getValues('upstreams.targets').keys())
      if (DETECTED.includes(form.getFieldState(pathOf(index)).error?.type)) form.clearErrors(pathOf(index));
  }, [addresses, form]);

  /** Whether every target answers, or is kept although it does not; what fails stands at its field. */
  async function admit(): Promise<boolean> {
    const { traffic_action, upstreams } = form.getValues();
    const { targets } = upstreams;
    if (traffic_action === 'redirect' || admission.kept === addressesOf(targets)) return true;
    if (targets.every((target) => verification.resultOf(target)?.error === null)) return true;
    // Where nothing could be found out, nothing is held back.
    const results = await verification.verifyAsync(targets).catch(() => []);
    const failed = targets.flatMap((target, index) => {
      const error = results.find(({ upstream }) => upstream === verifiableTarget(target))?.error;
      return error ? [{ index, error }] : [];
    });
    asked.current = addressesOf(targets);
    for (const [position, { index, error }] of failed.entries())
      form.setError(pathOf(index), { type: error, message: error }, { shouldFocus: position === 0 });
    const canBeKept = failed.length > 0 && failed.every(({ error }) => error === 'UPSTREAM_UNREACHABLE');
    setSilent(canBeKept ? addressesOf(targets) : undefined);
    return failed.length === 0;
  }
  useEffect(() => {
    admission.ask = admit;
    return () => {
      admission.ask = undefined;
    };
  });
  return {
    verification,
    /** Whether the targets as they stand did not all answer, and may be kept. */
    isSilent: silent === addresses,
    keep() {
      admission.kept = addresses;
      setSilent(undefined);
      form.clearErrors('upstreams.targets');
    },
  };
}
