import { targetAddress, type UpstreamProtocol, type UpstreamTarget } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { defaultPort } from '../model/target-text';

/** A target in one line, in people's words: address with the port that counts, and what is unusual about it. */
export function useTargetText() {
  const t = useTranslations('domain.upstreams');
  return (target: UpstreamTarget, protocol: UpstreamProtocol, isShared = true): string => {
    const address = targetAddress({ host: target.host.trim(), port: target.port ?? defaultPort(protocol) });
    const parts = [address];
    if (isShared && target.backup) parts.push(t('text.backup'));
    else if (isShared && target.weight !== 1) parts.push(t('text.weight', { weight: target.weight }));
    return parts.join(' · ');
  };
}
