import { Clock, CloudOff, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isIdentityForm } from '../../app/start-hash';
import { Button } from '../../ui/button';
import { IdentityFrame } from './identity-frame';
import { fetchInteraction, type Interaction, interactionId } from './interaction';
import { RegisterPage } from './register-page';
import { SignInPage } from './sign-in-page';

type State =
  | { kind: 'open'; interaction?: Interaction }
  | { kind: 'expired' }
  | { kind: 'unreachable' }
  | { kind: 'unavailable' };

const ICONS = { expired: Clock, unreachable: WifiOff, unavailable: CloudOff };

/* The console itself starts sign-in, for a page that needs it. */
const startAgain = () => window.location.replace(`${window.location.origin}/`);

function useHash(): string {
  const [hash, setHash] = useState(window.location.hash);
  useEffect(() => {
    const onChange = () => {
      // Anything else is the console's: this small program ends.
      if (!isIdentityForm(window.location)) window.location.reload();
      setHash(window.location.hash);
    };
    window.addEventListener('hashchange', onChange);
    return () => window.removeEventListener('hashchange', onChange);
  }, []);
  return hash;
}

/** The two forms. They are drawn at once and work while the interaction's details are still on their way. */
export function IdentityApp() {
  const t = useTranslations('identity');
  const hash = useHash();
  const uid = interactionId();
  const [state, setState] = useState<State>({ kind: 'open' });
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again
  useEffect(() => {
    if (uid === null) return startAgain();
    let isCurrent = true;
    fetchInteraction(uid).then(
      (interaction) => {
        if (!isCurrent) return;
        setState(interaction ? { kind: 'open', interaction } : { kind: 'expired' });
        const isRegistering = window.location.hash.includes('/pages/register');
        if (interaction?.prompt === 'create' && !isRegistering)
          window.location.replace(`#/pages/register?interaction=${encodeURIComponent(uid)}`);
      },
      (error) => isCurrent && setState({ kind: error instanceof TypeError ? 'unreachable' : 'unavailable' }),
    );
    return () => {
      isCurrent = false;
    };
  }, [uid, attempt]);

  if (uid === null) return null;
  if (state.kind !== 'open') {
    const isExpired = state.kind === 'expired';
    const Icon = ICONS[state.kind];
    return (
      <IdentityFrame>
        <span className="grid size-12 place-items-center rounded-full bg-soft text-primary-ink">
          <Icon size={22} aria-hidden />
        </span>
        <h1 className="mt-4 text-2xl font-semibold tracking-tight">{t(`${state.kind}.title`)}</h1>
        <p className="mt-2 text-muted">{t(`${state.kind}.body`)}</p>
        <Button
          variant="primary"
          size="lg"
          className="mt-6 w-full"
          onClick={
            isExpired
              ? startAgain
              : () => {
                  setState({ kind: 'open' });
                  setAttempt(attempt + 1);
                }
          }
        >
          {t(`${state.kind}.action`)}
        </Button>
      </IdentityFrame>
    );
  }
  const onExpired = () => setState({ kind: 'expired' });
  return (
    <IdentityFrame>
      {hash.includes('/pages/register') ? (
        <RegisterPage
          uid={uid}
          termsVersion={state.interaction?.terms_version}
          termsUrl={state.interaction?.terms_url}
          onExpired={onExpired}
        />
      ) : (
        <SignInPage
          uid={uid}
          isAfterRegistration={state.interaction?.after_registration === true}
          onExpired={onExpired}
        />
      )}
    </IdentityFrame>
  );
}
