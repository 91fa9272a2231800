import type { UpstreamProtocol, UpstreamTarget } from '@cordon/contract';
import { useEffect, useRef, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { defaultPort } from '../../../domain/model/target-text';
import { CERTIFICATE_REFUSED, meantTargets, verifiableTarget } from '../../../domain/upstreams/upstream-values';
import {
  refusedCertificateOf,
  useVerifyUpstreams,
  type VerifiedUpstream,
} from '../../../domain/upstreams/use-verify-upstreams';
import type { AddDomainValues } from './add-domain-values';
import type { IsCurrent } from './use-passage';

/** The targets, for what was found out about them. */
export const addressesOf = (targets: readonly UpstreamTarget[]): string => targets.map(verifiableTarget).join(' ');
const pathOf = (index: number) => `upstreams.targets.${index}.host` as const;
/** Codes that detection puts at a field; the resolver knows nothing of them. */
const DETECTED: readonly (string | undefined)[] = ['UPSTREAM_UNREACHABLE', 'UPSTREAM_FORBIDDEN', CERTIFICATE_REFUSED];

/** Whether a target answered, and not over what is chosen; where nothing is suggested, nothing is known better. */
function contradicts(protocol: UpstreamProtocol, target: UpstreamTarget, result: VerifiedUpstream | undefined) {
  if (!result?.suggested) return false;
  const wanted = protocol === 'http_https' ? (['http', 'https'] as const) : [protocol];
  const answersOver = (one: 'http' | 'https') =>
    result.protocols.some(
      ({ protocol, port, answers }) => answers && protocol === one && port === (target.port ?? defaultPort(one)),
    );
  return !wanted.every(answersOver);
}

/** What the wizard keeps of the step with the targets, which comes and goes. */
export interface Admission {
  /** Whether the targets may be left; undefined while their step is not there. */
  ask?: ((isCurrent: IsCurrent) => Promise<boolean>) | undefined;
  /** Addresses that are kept although they do not answer. */
  kept?: string | undefined;
  /** Protocol and addresses that are kept although the edge will refuse their certificate. */
  keptCertificate?: string | undefined;
  /** Protocol and addresses that all answered, as the edge will ask them. */
  answered?: string | undefined;
  /** Protocol and addresses that are kept although others answered. */
  keptProtocol?: string | undefined;
  /** Why nothing could be found out about the targets as they are. */
  unchecked?: unknown;
  /** They are to be asked again once their step is there. */
  isDue?: boolean;
}

type Typed = AddDomainValues['upstreams'];
export const chosenOf = (upstreams: Typed): string => `${upstreams.protocol} ${addressesOf(meantTargets(upstreams))}`;

/** What the results say of the targets: which fail, which the edge will refuse, and whether others answer than those chosen. */
export function judge(upstreams: Typed, results: readonly VerifiedUpstream[]) {
  const targets = meantTargets(upstreams);
  const found = targets.map((target) => results.find(({ upstream }) => upstream === verifiableTarget(target)));
  const differs = targets.map((target, index) => contradicts(upstreams.protocol, target, found[index]));
  const refusedAt = found.flatMap((result, index) =>
    result && refusedCertificateOf(result, upstreams) ? [index] : [],
  );
  return {
    failed: found.flatMap((result, index) => (result?.error ? [{ index, error: result.error }] : [])),
    refusedAt,
    isContradicted: differs.includes(true),
    isAnswered: refusedAt.length === 0 && found.every((result, index) => result?.error === null && !differs[index]),
  };
}

/** Detection that runs by itself before the wizard lets go of the targets. */
export function useDetection(form: UseFormReturn<AddDomainValues>, admission: Admission) {
  const verification = useVerifyUpstreams(form.getValues('domain_name'));
  const typed = useWatch({ control: form.control, name: 'upstreams' });
  const { protocol } = typed;
  const addresses = addressesOf(meantTargets(typed));
  const [silent, setSilent] = useState<string>();
  const [contradicted, setContradicted] = useState<string>();
  const [refused, setRefused] = useState<string>();

  // What was found holds for the addresses that were asked; errors of the API are not detection's to take away.
  const asked = useRef<string>(undefined);
  useEffect(() => {
    if (asked.current === undefined || asked.current === addresses) return;
    asked.current = undefined;
    for (const index of form.getValues('upstreams.targets').keys())
      if (DETECTED.includes(form.getFieldState(pathOf(index)).error?.type)) form.clearErrors(pathOf(index));
  }, [addresses, form]);

  const isVerified = protocol !== 'http' && typed.tls_verification === 'strict';
  useEffect(() => {
    if (isVerified) return;
    for (const index of form.getValues('upstreams.targets').keys())
      if (form.getFieldState(pathOf(index)).error?.type === CERTIFICATE_REFUSED) form.clearErrors(pathOf(index));
  }, [isVerified, form]);

  /** Whether every target answers over what is chosen, or is kept although it does not; what fails stands at its field. */
  async function admit(isCurrent: IsCurrent): Promise<boolean> {
    const { traffic_action, upstreams } = form.getValues();
    const targets = meantTargets(upstreams);
    admission.unchecked = undefined;
    if (traffic_action === 'redirect' || admission.kept === addressesOf(targets)) return true;
    const isKnown = targets.every((target) => verification.resultOf(target)?.error === null);
    let unchecked: unknown;
    // Where nothing could be found out, nothing is held back; the review says so.
    const results = isKnown
      ? verification.results
      : await verification.verifyAsync(targets).catch((error: unknown) => {
          unchecked = error;
          return [];
        });
    // Of what was typed meanwhile nothing is known.
    if (!isCurrent()) return false;
    admission.unchecked = unchecked;
    const { failed, refusedAt, isAnswered, ...found } = judge(upstreams, results);
    asked.current = addressesOf(targets);
    for (const [position, { index, error }] of failed.entries())
      form.setError(pathOf(index), { type: error, message: error }, { shouldFocus: position === 0 });
    const canBeKept = failed.length > 0 && failed.every(({ error }) => error === 'UPSTREAM_UNREACHABLE');
    setSilent(canBeKept ? addressesOf(targets) : undefined);
    if (failed.length > 0) return false;
    const chosen = chosenOf(upstreams);
    const isContradicted = admission.keptProtocol !== chosen && found.isContradicted;
    admission.answered = isAnswered ? chosen : undefined;
    setContradicted(isContradicted ? chosen : undefined);
    const isRefused = !isContradicted && refusedAt.length > 0 && admission.keptCertificate !== chosen;
    setRefused(isRefused ? chosen : undefined);
    if (isRefused)
      for (const [position, index] of refusedAt.entries())
        form.setError(
          pathOf(index),
          { type: CERTIFICATE_REFUSED, message: CERTIFICATE_REFUSED },
          { shouldFocus: position === 0 },
        );
    return !isContradicted && !isRefused;
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
    /** Whether the targets answered, and not over what is chosen. */
    isContradicted: contradicted === `${protocol} ${addresses}`,
    /** Whether the edge will refuse their certificate. */
    isRefused: isVerified && refused === `${protocol} ${addresses}`,
    keep() {
      if (silent === addresses) admission.kept = addresses;
      if (contradicted !== undefined) admission.keptProtocol = contradicted;
      if (refused !== undefined) admission.keptCertificate = refused;
      setSilent(undefined);
      setContradicted(undefined);
      setRefused(undefined);
      form.clearErrors('upstreams.targets');
    },
  };
}
