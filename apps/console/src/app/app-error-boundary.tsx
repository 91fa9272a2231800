import { Component, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../ui/button';
import { ErrorState } from '../ui/states';
import { describeFailure } from './failure';

function BrokenApp({ error }: { error: unknown }) {
  const t = useTranslations('errors.broken');
  const { reasons, requestId } = describeFailure(error);
  return (
    <main className="grid min-h-dvh place-items-center">
      <div>
        <ErrorState title={t('appTitle')} reasons={[...reasons, t('hint')]} requestId={requestId} />
        <p className="-mt-8 text-center">
          <Button variant="primary" onClick={() => window.location.reload()}>
            {t('reload')}
          </Button>
        </p>
      </div>
    </main>
  );
}

/** The last net: what no screen caught. */
export class AppErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    console.error('The console broke', error);
  }

  override render() {
    return this.state.error === undefined ? this.props.children : <BrokenApp error={this.state.error} />;
  }
}
